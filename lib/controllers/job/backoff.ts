import type { Pod } from '#lib/api/types/core.v1.ts';
import { phaseOf } from '../workload/pod.ts';
import { endedAt, failuresBefore, ignoredFailuresBefore, isTracked } from './pod.ts';

/** Milliseconds before a pod that failed is replaced; doubled by every further failure, up to the most. */
const FIRST = 10_000;
const MOST = 600_000;

/** How often pods failed since one last succeeded, and when, in milliseconds since 1970. */
export interface Backoff {
  readonly failures: number;
  readonly last: number;
}

/** The record of no failure. */
export const NO_BACKOFF: Backoff = { failures: 0, last: 0 };

/** The record after more pods ended: those that failed behind the last success count. */
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

/** The record that pods give that were counted before this process began, as long as they are there. */
export function backoffOf(pods: readonly Pod[]): Backoff {
  const counted = pods.filter((pod) => !isTracked(pod));
  const inPhase = (phase: string) => counted.filter((pod) => phaseOf(pod) === phase);
  return following(NO_BACKOFF, { succeeded: inPhase('Succeeded'), failed: inPhase('Failed') });
}

/** Milliseconds left to wait. `now` is in milliseconds since 1970. */
export function remaining({ failures, last }: Backoff, now: number): number {
  if (failures === 0) return 0;
  return Math.max(0, Math.min(MOST, FIRST * 2 ** (failures - 1)) - (now - last));
}

/** The same for an index whose last pod is this. */
export function remainingOfIndex(pod: Pod | undefined, now: number): number {
  if (pod === undefined) return 0;
  return remaining({ failures: failuresBefore(pod) + ignoredFailuresBefore(pod) + 1, last: endedAt(pod) }, now);
}
