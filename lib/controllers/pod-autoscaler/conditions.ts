import type { HorizontalPodAutoscalerCondition } from '#lib/api/types/autoscaling.v2.ts';
import { timeOf } from '#lib/machinery/time-at.ts';

type Conditions = readonly HorizontalPodAutoscalerCondition[];

/** A condition without its time. */
export interface Condition {
  readonly type: 'AbleToScale' | 'ScalingActive' | 'ScalingLimited';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** The conditions with this one set, in its existing position. Its transition time changes only with its status. */
export function withCondition(conditions: Conditions, { type, ...now }: Condition, time: number): Conditions {
  const at = conditions.findIndex((one) => one.type === type);
  const held = conditions[at];
  const lastTransitionTime = held?.status === now.status ? (held.lastTransitionTime ?? '') : timeOf(time);
  const next = { ...held, type, ...now, lastTransitionTime };
  return at < 0 ? [...conditions, next] : conditions.with(at, next);
}
