import type { Pod, PodCondition } from '#lib/api/types/core.v1.ts';
import { timeOf } from '#lib/machinery/time-at.ts';

/** Sets a condition to true. Preserves the transition time if the condition was already true. */
export function setTrue(
  { status: podStatus }: Pod,
  condition: { type: string; reason?: string; message?: string },
  now: Date,
): void {
  const conditions = podStatus.conditions ?? [];
  const known = conditions.find(({ type }) => type === condition.type);
  const since = known?.status === 'True' ? (known.lastTransitionTime ?? '') : '';
  const next: PodCondition = {
    ...(known ?? { lastProbeTime: null }),
    ...condition,
    status: 'True',
    lastTransitionTime: since === '' ? timeOf(now) : since,
  };
  podStatus.conditions =
    known === undefined ? [...conditions, next] : conditions.map((one) => (one.type === condition.type ? next : one));
}
