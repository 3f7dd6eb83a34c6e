import { FENCING_TOKEN, fencingTokenText, type FencingToken } from '#lib/machinery/fencing-token.ts';
import { annotationsOf, metadataOf } from '#lib/machinery/meta.ts';
import type { Client } from './client.ts';
import { LeaseCandidate, type CandidateOptions } from './lease-candidate.ts';

/** The lease to hold during the work. */
export interface LeaseOptions extends Omit<CandidateOptions, 'trustsTimes'> {
  /** Longer than the work may last: it is not renewed. */
  readonly seconds: number;
}

/** Works while it holds the lease, and gives it back. Undefined where another holds it, or nobody could be asked. */
export async function underLease<T>(
  options: LeaseOptions,
  work: (token: FencingToken) => Promise<T>,
): Promise<T | undefined> {
  const candidate = new LeaseCandidate({ ...options, trustsTimes: true });
  if (!(await candidate.attempt())) return undefined;
  try {
    const { namespace, name } = options;
    return await work({ namespace, name, transitions: candidate.transitions });
  } finally {
    await candidate.release();
  }
}

/** A client whose bindings say by which lease they are made. */
export const fenceClient = (client: Client, token: FencingToken): Client => ({
  ...client,
  create(resource, object, subresource) {
    if (subresource !== 'binding') return client.create(resource, object, subresource);
    const annotations = { ...annotationsOf(object), [FENCING_TOKEN]: fencingTokenText(token) };
    return client.create(resource, { ...object, metadata: { ...metadataOf(object), annotations } }, subresource);
  },
});
