import type { Lease } from '#lib/api/types/coordination.v1.ts';
import type { Binding } from '#lib/api/types/core.v1.ts';
import { badRequest, conflict, StatusError } from '#lib/machinery/errors.ts';
import { FENCING_TOKEN, type FencingToken, parseFencingToken } from '#lib/machinery/fencing-token.ts';
import { annotationsOf, nameOf } from '#lib/machinery/meta.ts';
import type { Creation } from './create-endpoint.ts';
import { type ClusterScope, type DefinitionOf, read } from './stored.ts';

/**
 * Rejects a binding whose fencing token no longer matches its lease. Another holder has then acquired the lease and may have made a
 * different decision. Checks nothing without a token. Throws 400, 409.
 */
export async function checkFencing(leases: DefinitionOf<Lease>, { op, object }: Creation<Binding>): Promise<void> {
  const text = annotationsOf(object)[FENCING_TOKEN];
  if (text === undefined) return;
  const token = parseFencingToken(text);
  if (token === undefined) throw badRequest(`${FENCING_TOKEN} is namespace/lease/transitions, not ${text}`);
  const present = await transitionsOf(leases, op, token);
  if (present === token.transitions) return;
  const why = `the lease ${token.namespace}/${token.name} has changed hands since`;
  throw conflict({ group: '', resource: 'pods/binding' }, nameOf(object), why);
}

async function transitionsOf(
  leases: DefinitionOf<Lease>,
  { cluster }: ClusterScope,
  { namespace, name }: FencingToken,
) {
  try {
    return (await read(leases, { cluster, namespace }, name)).spec.leaseTransitions ?? 0;
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'NotFound') return undefined;
    throw error;
  }
}
