import { equal, objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { controllerOf, generationOf, isDeleting, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { dateOf, instantOf, parseTime, timeText } from '#lib/machinery/time.ts';
import { at, count, entries, items, text } from '#lib/machinery/unstructured.ts';
import { amountOf, intOrPercent } from '#lib/registry/kinds/shared/int-or-percent.ts';
import { conditionOf, conditionsOf } from '../workload/conditions.ts';
import { isReady, isTerminal } from '../workload/pod.ts';

/** Milliseconds in which a pod that was let go is expected to be deleted, and a mark of disruption to come true. */
const PATIENCE = 120_000;
const ALLOWED = 'DisruptionAllowed';
const TARGET = 'DisruptionTarget';

const specOf = (budget: JsonObject): JsonObject => at(budget, 'spec') ?? {};
const statusOf = (object: JsonObject): JsonObject => at(object, 'status') ?? {};
const millisecondsOf = (time: string): number => dateOf(parseTime(time)).getTime();
const textOf = (now: number): string | null => timeText(instantOf(new Date(now)));

/** What of a pod, besides its labels, counts for budgets. */
export const budgetStateOf = (pod: JsonObject): string =>
  [uidOf(pod), isDeleting(pod), isReady(pod), controllerOf(pod)?.uid].join();

const limitOf = (budget: JsonObject): 'maxUnavailable' | 'minAvailable' | undefined =>
  (['maxUnavailable', 'minAvailable'] as const).find((field) => ownField(specOf(budget), field) !== undefined);

/** Whether the budget asks how many pods their controllers want: an amount of those that are there does not. */
export function asksForScale(budget: JsonObject): boolean {
  const limit = limitOf(budget);
  return limit === 'maxUnavailable' || (limit !== undefined && typeof intOrPercent(specOf(budget), limit) === 'string');
}

export interface Amounts {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
}

/** How many pods there should be, and how many of them healthy. `scale` is the sum of their controllers'. */
export function amounts(budget: JsonObject, pods: number, scale: number): Amounts {
  const limit = limitOf(budget);
  if (limit === undefined) return { expectedPods: 0, desiredHealthy: 0 };
  const value = intOrPercent(specOf(budget), limit);
  const amount = typeof value === 'string' ? Math.ceil((amountOf(value) * scale) / 100) : Number(value);
  if (limit === 'maxUnavailable') return { expectedPods: scale, desiredHealthy: Math.max(0, scale - amount) };
  return { expectedPods: typeof value === 'string' ? scale : pods, desiredHealthy: amount };
}

export interface Disrupted {
  /** Pods that were let go and are not gone yet, with when that was. */
  readonly pods: JsonObject;
  /** Those that should be gone long since. */
  readonly overdue: readonly JsonObject[];
  /** Milliseconds until the next of them is overdue. */
  readonly wait: number | undefined;
}

/** What is still to be believed of the pods that evictions noted in the budget. */
export function disruptedPods(budget: JsonObject, pods: readonly JsonObject[], now: number): Disrupted {
  const noted = new Map(entries(statusOf(budget), 'disruptedPods'));
  const left = pods
    .filter((pod) => !isDeleting(pod) && noted.has(nameOf(pod)))
    .map((pod) => ({ pod, time: noted.get(nameOf(pod)) ?? '' }))
    .map(({ pod, time }) => ({ pod, time, wait: millisecondsOf(time) + PATIENCE - now }));
  const believed = left.filter(({ wait }) => wait >= 0);
  return {
    pods: Object.fromEntries(believed.map(({ pod, time }) => [nameOf(pod), time])),
    overdue: left.filter(({ wait }) => wait < 0).map(({ pod }) => pod),
    wait: believed.length === 0 ? undefined : Math.min(...believed.map(({ wait }) => wait)),
  };
}

/** Pods that are ready and that nobody asked to go. */
export function countHealthy(pods: readonly JsonObject[], disrupted: JsonObject): number {
  return pods.filter((pod) => !isDeleting(pod) && !Object.hasOwn(disrupted, nameOf(pod)) && isReady(pod)).length;
}

export interface Counted extends Amounts {
  readonly currentHealthy: number;
  readonly disrupted: JsonObject;
}

/** The status that follows from what was counted; undefined where the budget has it. */
export function nextStatus(budget: JsonObject, counted: Counted, now: number): JsonObject | undefined {
  const { currentHealthy, desiredHealthy, expectedPods, disrupted } = counted;
  const before = statusOf(budget);
  // Pods that first appear are not let go before they are counted.
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const numbers = { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods };
  const allowed = disruptionsAllowed > 0;
  const condition = {
    type: ALLOWED,
    status: allowed ? 'True' : 'False',
    reason: allowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  };
  const isSame =
    Object.entries(numbers).every(([field, value]) => Number(count(before, field)) === value) &&
    equal(objectAt(before, 'disruptedPods') ?? {}, disrupted) &&
    Number(count(before, 'observedGeneration')) === generationOf(budget) &&
    ['status', 'reason'].every((field) => text(allowedIn(before), field) === text(condition, field));
  if (isSame) return undefined;
  return {
    ...numbers,
    ...(Object.keys(disrupted).length === 0 ? {} : { disruptedPods: disrupted }),
    observedGeneration: generationOf(budget),
    conditions: withCondition(before, { ...condition, observedGeneration: generationOf(budget) }, now),
  };
}

/** The status of a budget that could not be counted, so that it lets nothing go; undefined where the budget has it. */
export function failedStatus(budget: JsonObject, message: string, now: number): JsonObject | undefined {
  const before = statusOf(budget);
  const generation = Number(count(before, 'observedGeneration'));
  const condition = { type: ALLOWED, status: 'False', reason: 'SyncFailed', message };
  const known = generation === 0 ? condition : { ...condition, observedGeneration: generation };
  const next = { ...before, disruptionsAllowed: 0, conditions: withCondition(before, known, now) };
  return equal(next, before) ? undefined : next;
}

const allowedIn = (status: JsonObject): JsonObject | undefined =>
  items(status, 'conditions').find((one) => text(one, 'type') === ALLOWED);

function withCondition(status: JsonObject, condition: JsonObject, now: number): JsonObject[] {
  const known = allowedIn(status);
  const isSame = text(known, 'status') === text(condition, 'status');
  const next = { ...condition, lastTransitionTime: isSame ? text(known, 'lastTransitionTime') : textOf(now) };
  const conditions = items(status, 'conditions');
  return known === undefined ? [...conditions, next] : conditions.map((one) => (one === known ? next : one));
}

/** Milliseconds until a pod's mark of disruption is not to be believed any more; undefined where it has none that lapses. */
export function staleMarkIn(pod: JsonObject, now: number): number | undefined {
  const mark = conditionOf(conditionsOf(pod), TARGET);
  if (mark === undefined || isDeleting(pod) || isTerminal(pod)) return undefined;
  // A kubelet may take as long as it likes.
  if (text(mark, 'status') !== 'True' || text(mark, 'reason') === 'TerminationByKubelet') return undefined;
  return Math.max(0, millisecondsOf(text(mark, 'lastTransitionTime')) + PATIENCE - now);
}

/** The pod with its mark of disruption taken back. */
export function withoutMark(pod: JsonObject, now: number): JsonObject {
  const conditions = items(statusOf(pod), 'conditions').map((one) =>
    text(one, 'type') === TARGET
      ? { type: TARGET, status: 'False', observedGeneration: generationOf(pod), lastTransitionTime: textOf(now) }
      : one,
  );
  return { ...pod, status: { ...statusOf(pod), conditions } };
}
