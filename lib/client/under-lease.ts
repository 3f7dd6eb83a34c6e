import type { Clock } from '#lib/machinery/clock.ts';
import { FENCING_TOKEN, type FencingToken, fencingTokenText } from '#lib/machinery/fencing-token.ts';
import { annotationsOf, metadataOf } from '#lib/machinery/meta.ts';
import type { Client } from './client.ts';
import { type CandidateOptions, LeaseCandidate, RETRY } from './lease-candidate.ts';

/** The lease to hold during the work. */
export type LeaseOptions = Omit<CandidateOptions, 'trustsTimes'>;

/**
 * Works while it holds the lease, renews it meanwhile, and releases it afterwards. The signal aborts if the lease is lost. Undefined if
 * another candidate holds it, or if the server cannot be reached.
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

/** Renews after the first pause. Resolves with whether the lease was lost. */
async function keep(candidate: LeaseCandidate, clock: Clock, signal: AbortSignal): Promise<boolean> {
  await clock.sleep(RETRY, signal);
  return candidate.keep(signal);
}

/** A client whose bindings include the fencing token of the lease that they are made under. */
export const fenceClient = (client: Client, token: FencingToken): Client => ({
  ...client,
  create(resource, object, subresource) {
    if (subresource !== 'binding') return client.create(resource, object, subresource);
    const annotations = { ...annotationsOf(object), [FENCING_TOKEN]: fencingTokenText(token) };
    return client.create(resource, { ...object, metadata: { ...metadataOf(object), annotations } }, subresource);
  },
});
