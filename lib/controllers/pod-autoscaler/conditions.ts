import type { JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { timeOf, type Conditions } from '../workload/conditions.ts';

export interface Condition {
  readonly type: 'AbleToScale' | 'ScalingActive' | 'ScalingLimited';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** The conditions with this one as it is now, at its place; its time is that of its last change of status. */
export function withCondition(conditions: Conditions, { type, ...now }: Condition, time: number): Conditions {
  const at = conditions.findIndex((one) => text(one, 'type') === type);
  const held: JsonObject = conditions[at] ?? { type };
  const lastTransitionTime = held['status'] === now.status ? text(held, 'lastTransitionTime') : timeOf(time);
  const next = { ...held, ...now, lastTransitionTime };
  return at < 0 ? [...conditions, next] : conditions.with(at, next);
}
