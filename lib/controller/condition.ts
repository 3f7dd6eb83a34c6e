import { instantOf, timeText } from '#lib/machinery/time.ts';

/** `metav1.Condition`. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
}

export const findCondition = (conditions: readonly Condition[] | undefined, type: string): Condition | undefined =>
  conditions?.find((condition) => condition.type === type);

export const isConditionTrue = (conditions: readonly Condition[] | undefined, type: string): boolean =>
  findCondition(conditions, type)?.status === 'True';

/**
 * The conditions with this one: upstream's SetStatusCondition. Its transition time changes with its status alone; where nothing
 * changes, the same list comes back. `now` is in milliseconds since 1970.
 */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  condition: Omit<Condition, 'lastTransitionTime'>,
  now: number,
): readonly Condition[] {
  const before = findCondition(conditions, condition.type);
  const since = before?.status === condition.status ? before.lastTransitionTime : undefined;
  const next: Condition = { ...condition, lastTransitionTime: since ?? timeText(instantOf(new Date(now))) ?? '' };
  if (before === undefined) return [...(conditions ?? []), next];
  if (isSame(before, next)) return conditions ?? [];
  return (conditions ?? []).map((other) => (other === before ? next : other));
}

const FIELDS = ['status', 'reason', 'message', 'observedGeneration', 'lastTransitionTime'] as const;

const isSame = (a: Condition, b: Condition): boolean => FIELDS.every((field) => a[field] === b[field]);
