import type { Clock } from '#lib/machinery/clock.ts';
import { FENCING_TOKEN, type FencingToken, fencingTokenText } from '#lib/machinery/fencing-token.ts';
import { annotationsOf, metadataOf } from '#lib/machinery/meta.ts';
import type { Client } from './client.ts';
import { type CandidateOptions, LeaseCandidate, RETRY } from './lease-candidate.ts';

/** The lease to hold during the work. */
export type LeaseOptions = Omit<CandidateOptions, 'trustsTimes'>;

/**
 * Runs the work while holding the lease. Renews the lease meanwhile and releases it afterwards. The signal aborts if the lease is lost.
 * Resolves with undefined if another candidate holds the lease, or if the server is unreachable.
 */
export async function underLease<T>(
  options: LeaseOptions,
  work: (token: FencingToken, lost: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const candidate = new LeaseCandidate({ ...options, trustsTimes: true });
  if (!(await candidate.attempt())) return undefined;
  const [lost, done] = [new AbortController(), new AbortController()];
  const kept = keep(candidate, options.clock, done.signal).then((isLost) => isLost && lost.abort());
  try {
    const { namespace, name } = options;
    return await work({ namespace, name, transitions: candidate.transitions }, lost.signal);
  } finally {
    done.abort();
    await kept;
    await candidate.release();
  }
}

/** Renews the lease, starting after the first pause. Resolves with true if it was lost. */
async function keep(candidate: LeaseCandidate, clock: Clock, signal: AbortSignal): Promise<boolean> {
  await clock.sleep(RETRY, signal);
  return candidate.keep(signal);
}

/** Wraps a client so that its Bindings include the fencing token of the current lease. */
export const fenceClient = (client: Client, token: FencingToken): Client => ({
  ...client,
  create(resource, object, subresource) {
    if (subresource !== 'binding') return client.create(resource, object, subresource);
    const annotations = { ...annotationsOf(object), [FENCING_TOKEN]: fencingTokenText(token) };
    return client.create(resource, { ...object, metadata: { ...metadataOf(object), annotations } }, subresource);
  },
});
