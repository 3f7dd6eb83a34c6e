import type { Pod } from '#lib/api/types/core.v1.ts';
import { podReadySince } from '#lib/helpers/component-helpers/pod/readiness.ts';

/** The time in ms until the next ready pod is available. Undefined if there is none to wait for. */
export function nextAvailability(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  const waits = pods.map((pod) => (podReadySince(pod) ?? -Infinity) + minReadySeconds * 1000 - now);
  const next = Math.min(...waits.filter((wait) => wait > 0));
  return Number.isFinite(next) ? next : undefined;
}
