import { timeOf } from './time-at.ts';

/** `metav1.Condition`. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
}

/** The part of a condition that all kinds share. */
export interface AnyCondition {
  readonly type?: string | undefined;
  readonly status?: string | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly observedGeneration?: number | bigint | undefined;
  readonly lastTransitionTime?: string | null | undefined;
}

/** The condition of this type. Undefined if there is none (upstream: FindStatusCondition). */
export const findCondition = <C extends AnyCondition>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined => conditions?.find((condition) => condition.type === type);

/** Whether the condition of this type is True (upstream: IsStatusConditionTrue). */
export const isConditionTrue = (conditions: readonly AnyCondition[] | undefined, type: string): boolean =>
  findCondition(conditions, type)?.status === 'True';

/** The conditions without the one of this type (upstream: RemoveStatusCondition). */
export const withoutCondition = <C extends AnyCondition>(conditions: readonly C[], type: string): readonly C[] =>
  conditions.filter((condition) => condition.type !== type);

/**
 * The conditions with this one set: upstream's SetStatusCondition. The transition time changes only with the status. Returns the same list
 * if there is no change. `now` is in ms since 1970.
 */
export function setCondition<C extends AnyCondition>(
  conditions: readonly C[] | undefined,
  condition: Omit<Condition, 'lastTransitionTime'>,
  now: number,
): readonly (C | Condition)[] {
  const before = findCondition(conditions, condition.type);
  const since = before?.status === condition.status ? before.lastTransitionTime : undefined;
  const next: Condition = { ...condition, lastTransitionTime: since ?? timeOf(now) };
  if (before === undefined) return [...(conditions ?? []), next];
  if (isSame(before, next)) return conditions ?? [];
  return (conditions ?? []).map((other) => (other === before ? next : other));
}

const FIELDS = ['status', 'reason', 'message', 'observedGeneration', 'lastTransitionTime'] as const;

const isSame = (a: AnyCondition, b: AnyCondition): boolean => FIELDS.every((field) => a[field] === b[field]);
