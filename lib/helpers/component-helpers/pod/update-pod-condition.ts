import type { PodCondition } from '#lib/api/types/core.v1.ts';
import { findCondition, updateCondition } from '#lib/machinery/conditions.ts';
import { defined } from '#lib/machinery/defined.ts';
import { timeOf } from '#lib/machinery/time-at.ts';

/**
 * Returns the conditions of a pod with this one added (upstream: UpdatePodCondition). It replaces a condition of the same type, and keeps
 * the transition time unless the status changes. Returns the same list if status, reason and message are equal. `now` is a Date or the
 * milliseconds since 1970.
 */
export function updatePodCondition(
  conditions: PodCondition[] | undefined,
  condition: Omit<PodCondition, 'lastProbeTime' | 'lastTransitionTime'>,
  now: Date | number,
): PodCondition[] {
  const held = findCondition(conditions, condition.type);
  if (conditions !== undefined && held !== undefined && isSame(held, condition)) return conditions;
  const { reason, message, ...rest } = condition;
  const times = { lastProbeTime: null, lastTransitionTime: timeOf(now) };
  return updateCondition<PodCondition>(conditions, { ...rest, ...times, ...defined({ reason, message }) });
}

const isSame = (a: PodCondition, b: Pick<PodCondition, 'status' | 'reason' | 'message'>): boolean =>
  a.status === b.status &&
  (a.reason ?? '') === (b.reason ?? '') &&
  (a.message ?? '') === (b.message ?? '') &&
  a.lastProbeTime === null;
