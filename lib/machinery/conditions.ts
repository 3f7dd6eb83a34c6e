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

/** The fields of a condition that all kinds have. */
export interface AnyCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly observedGeneration?: number | bigint | undefined;
  readonly lastTransitionTime?: string | null | undefined;
}

interface Typed {
  readonly type?: string;
}

/** The condition of this type. Undefined if there is none (upstream: FindStatusCondition). */
export const findCondition = <C extends Typed>(conditions: readonly C[] | undefined, type: string): C | undefined =>
  conditions?.find((condition) => condition.type === type);

/** Whether the condition of this type is True (upstream: IsStatusConditionTrue). */
export const isConditionTrue = (conditions: readonly AnyCondition[] | undefined, type: string): boolean =>
  findCondition(conditions, type)?.status === 'True';

/** The conditions without the one of this type (upstream: RemoveStatusCondition). */
export const withoutCondition = <C extends Typed>(conditions: readonly C[], type: string): readonly C[] =>
  conditions.filter((condition) => condition.type !== type);

/** The conditions with this one replacing the one of the same type, or appended. */
export function replaceCondition<C extends Typed>(conditions: readonly C[] = [], condition: C): C[] {
  const at = conditions.findIndex(({ type }) => type === condition.type);
  return at < 0 ? [...conditions, condition] : conditions.with(at, condition);
}

/** The condition, with the transition time of the one that it replaces if both have the same status. */
export const transitioned = <C extends AnyCondition>(condition: C, before: C | undefined): C =>
  before?.status === condition.status && before.lastTransitionTime !== undefined
    ? { ...condition, lastTransitionTime: before.lastTransitionTime }
    : condition;

/** The conditions with this new one set. It keeps the place of the old one, and its transition time unless the status changes. */
export const updateCondition = <C extends AnyCondition>(conditions: readonly C[] | undefined, condition: C): C[] =>
  replaceCondition(conditions, transitioned(condition, findCondition(conditions, condition.type)));

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
