import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
import type { Victims } from '../extender.ts';
import { earliestStart, priorityOf } from './importance.ts';

/** Added to each priority, so that more victims of negative priority do not lower the sum. */
const ABOVE_ZERO = MAX_INT32 + 1;

/** The criteria in order of comparison. A higher value is better. */
const CRITERIA: readonly ((victims: Victims, now: number) => number)[] = [
  // fewest violated budgets
  ({ pdbViolations }) => -pdbViolations,
  // lowest priority of the most important victim
  ({ pods: [first] }) => (first === undefined ? Infinity : -priorityOf(first)),
  // lowest sum of the victims' priorities
  ({ pods }) => -pods.reduce((sum, pod) => sum + priorityOf(pod) + ABOVE_ZERO, 0),
  ({ pods }) => -pods.length,
  // latest start among the victims of the highest priority
  ({ pods }, now) => earliestStart(pods, now),
];

/** The node where preemption does the least harm, the first of equals; undefined if there are no candidates. */
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
