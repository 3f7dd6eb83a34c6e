import type { Pod } from '#lib/api/types/core.v1.ts';
import type { KillPodOptions } from './pod-syncer.ts';

/**
 * The grace period of a terminating pod in seconds, at least 1. `before` is the period of an earlier request, or 0: it can only shrink
 * (upstream: calculateEffectiveGracePeriod).
 */
export function effectiveGracePeriod(before: number, pod: Pod | undefined, kill: KillPodOptions | undefined): number {
  const asked = [pod?.metadata.deletionGracePeriodSeconds, kill?.gracePeriod];
  const given = asked.flatMap((seconds) => (seconds === undefined ? [] : [Number(seconds)]));
  // Zero means "not set" while the requests are compared, like upstream.
  let [period, isAsked] = [before, false];
  for (const seconds of given) if (period === 0 || seconds < period) [period, isAsked] = [seconds, true];
  if (!isAsked && period === 0) period = Number(pod?.spec.terminationGracePeriodSeconds ?? 0);
  return Math.max(1, period);
}
