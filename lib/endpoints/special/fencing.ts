import { badRequest, conflict, StatusError } from '#lib/machinery/errors.ts';
import { FENCING_TOKEN, parseFencingToken, type FencingToken } from '#lib/machinery/fencing-token.ts';
import { objectAt } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf } from '#lib/machinery/meta.ts';
import { count } from '#lib/machinery/unstructured.ts';
import type { ResourceDefinition } from '#lib/registry/resource.ts';
import type { Creation } from './create-endpoint.ts';
import { read, type Place } from './stored.ts';

/**
 * Refuses a binding whose fencing token is not that of its lease as it is now: another has taken the lease since, and may have decided
 * otherwise. Without a token nothing is asked. Throws 400, 409.
 */
export async function checkFencing(leases: ResourceDefinition, { op, object }: Creation): Promise<void> {
  const text = annotationsOf(object)[FENCING_TOKEN];
  if (text === undefined) return;
  const token = parseFencingToken(text);
  if (token === undefined) throw badRequest(`${FENCING_TOKEN} is namespace/lease/transitions, not ${text}`);
  const present = await transitionsOf(leases, op, token);
  if (present === token.transitions) return;
  const why = `the lease ${token.namespace}/${token.name} has changed hands since`;
  throw conflict({ group: '', resource: 'pods/binding' }, nameOf(object), why);
}

async function transitionsOf(leases: ResourceDefinition, { cluster }: Place, { namespace, name }: FencingToken) {
  try {
    return Number(count(objectAt(await read(leases, { cluster, namespace }, name), 'spec'), 'leaseTransitions'));
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'NotFound') return undefined;
    throw error;
  }
}
