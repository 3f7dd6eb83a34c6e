import type { Victims } from '../extender.ts';
import { earliestStart, priorityOf } from './importance.ts';

/** So that a few pods of negative priority do not count less than fewer of them. */
const ABOVE_ZERO = 2 ** 31;

/** Criteria in the order of comparison: the higher, the better. */
const CRITERIA: readonly ((victims: Victims, now: number) => number)[] = [
  // budgets that would be violated
  ({ pdbViolations }) => -pdbViolations,
  // the most important victim
  ({ pods: [first] }) => (first === undefined ? Infinity : -priorityOf(first)),
  // the sum of the victims' priorities
  ({ pods }) => -pods.reduce((sum, pod) => sum + priorityOf(pod) + ABOVE_ZERO, 0),
  ({ pods }) => -pods.length,
  // those that matter most have not run for long
  ({ pods }, now) => earliestStart(pods, now),
];

/** The node where preemption does least harm; of equal ones the first. Undefined where there is none. */
export function pickOneNode(candidates: ReadonlyMap<string, Victims>, now: number): string | undefined {
  let left = [...candidates];
  for (const criterion of CRITERIA) {
    if (left.length < 2) break;
    const scored = left.map((one) => ({ one, score: criterion(one[1], now) }));
    const best = scored.reduce((most, { score }) => Math.max(most, score), -Infinity);
    left = scored.filter(({ score }) => score === best).map(({ one }) => one);
  }
  return left[0]?.[0];
}
