import type { HorizontalPodAutoscalerCondition } from '#lib/api/types/autoscaling.v2.ts';
import { updateCondition } from '#lib/machinery/conditions.ts';
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
export const withCondition = (conditions: Conditions, condition: Condition, time: number): Conditions =>
  updateCondition(conditions, { ...condition, lastTransitionTime: timeOf(time) });
