import type { Pod } from '#lib/api/types/core.v1.ts';
import { phaseOf } from '#lib/helpers/component-helpers/pod/phase.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import { endedAt, failuresBefore, ignoredFailuresBefore, isTracked } from './pod.ts';

/** The delay in ms before a failed pod is replaced. */
const DELAY = { duration: 10_000, factor: 2, cap: 600_000 };

/** The number of failures since the last success, and the time of the last failure in ms since 1970. */
export interface Backoff {
  readonly failures: number;
  readonly last: number;
}

/** The record without failures. */
export const NO_BACKOFF: Backoff = { failures: 0, last: 0 };

/** The record after more pods ended. Only failures after the last success count. */
export function following(
  before: Backoff,
  { succeeded, failed }: { succeeded: readonly Pod[]; failed: readonly Pod[] },
): Backoff {
  const success = Math.max(...succeeded.map(endedAt));
  const failures = failed.map(endedAt).filter((time) => time > success);
  const from = succeeded.length > 0 ? NO_BACKOFF : before;
  if (failures.length === 0) return from;
  return { failures: from.failures + failures.length, last: Math.max(...failures) };
}

/** The record derived from pods that were counted before this process started, while they still exist. */
export function backoffOf(pods: readonly Pod[]): Backoff {
  const counted = pods.filter((pod) => !isTracked(pod));
  const inPhase = (phase: string) => counted.filter((pod) => phaseOf(pod) === phase);
  return following(NO_BACKOFF, { succeeded: inPhase('Succeeded'), failed: inPhase('Failed') });
}

/** The remaining time in ms. `now` is in ms since 1970. */
export function remaining({ failures, last }: Backoff, now: number): number {
  if (failures === 0) return 0;
  return Math.max(0, delayAfter(failures, DELAY) - (now - last));
}

/** The remaining time in ms of an index whose last pod is this one. */
export function remainingOfIndex(pod: Pod | undefined, now: number): number {
  if (pod === undefined) return 0;
  return remaining({ failures: failuresBefore(pod) + ignoredFailuresBefore(pod) + 1, last: endedAt(pod) }, now);
}
