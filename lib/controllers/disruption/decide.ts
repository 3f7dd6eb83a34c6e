import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Condition } from '#lib/api/types/meta.v1.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '#lib/api/types/policy.v1.ts';
import type { IntOrString, Time } from '#lib/api/types/scalars.ts';
import { isPodTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { isPodReady } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { updatePodCondition } from '#lib/helpers/component-helpers/pod/update-pod-condition.ts';
import { findCondition, updateCondition } from '#lib/machinery/conditions.ts';
import { equal, hasNoField } from '#lib/machinery/json-value.ts';
import { controllerOf, generationOf, isDeleting, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { dateOf, parseTime } from '#lib/machinery/time.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { amountOf } from '#lib/server/registry/kinds/shared/int-or-percent.ts';

/** The time in ms within which an evicted pod should be deleted, and after which a DisruptionTarget condition is stale. */
const PATIENCE = 120_000;
const ALLOWED = 'DisruptionAllowed';
const TARGET = 'DisruptionTarget';

const millisecondsOf = (time: string): number => dateOf(parseTime(time)).getTime();

/** The state of a pod that affects budgets, except its labels, as text. */
export const budgetStateOf = (pod: Pod): string =>
  [uidOf(pod), isDeleting(pod), isPodReady(pod), controllerOf(pod)?.uid].join();

/** Whether the budget depends on the number of pods that their controllers want. An absolute minAvailable does not. */
export const asksForScale = ({ spec: { maxUnavailable, minAvailable } }: PodDisruptionBudget): boolean =>
  maxUnavailable !== undefined || typeof minAvailable === 'string';

/** The numbers of pods that a budget requires. */
export interface Amounts {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
}

/** The expected number of pods and of healthy pods. `scale` is the sum of their controllers' replicas. */
export function amounts({ spec }: PodDisruptionBudget, pods: number, scale: number): Amounts {
  const { maxUnavailable, minAvailable } = spec;
  const whole = (value: IntOrString): number =>
    typeof value === 'string' ? Math.ceil((amountOf(value) * scale) / 100) : value;
  if (maxUnavailable !== undefined)
    return { expectedPods: scale, desiredHealthy: Math.max(0, scale - whole(maxUnavailable)) };
  if (minAvailable === undefined) return { expectedPods: 0, desiredHealthy: 0 };
  return { expectedPods: typeof minAvailable === 'string' ? scale : pods, desiredHealthy: whole(minAvailable) };
}

/** The evicted pods. */
export interface Disrupted {
  /** The eviction times of pods that still exist, by pod name. */
  readonly pods: Record<string, Time>;
  /** Pods that should already have been deleted. */
  readonly overdue: readonly Pod[];
  /** The time in ms until the next of them is overdue. */
  readonly wait: number | undefined;
}

/**
 * The evicted pods that the budget records, without those that are being deleted. A pod with an old record is overdue. `now` is in ms since
 * 1970.
 */
export function disruptedPods({ status }: PodDisruptionBudget, pods: readonly Pod[], now: number): Disrupted {
  const noted = new Map(Object.entries(status.disruptedPods ?? {}));
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

/** Counts the pods that are ready and not disrupted. */
export function countHealthy(pods: readonly Pod[], disrupted: Record<string, Time>): number {
  return pods.filter((pod) => !isDeleting(pod) && !Object.hasOwn(disrupted, nameOf(pod)) && isPodReady(pod)).length;
}

/** The numbers of a budget. */
export interface Counted extends Amounts {
  readonly currentHealthy: number;
  readonly disrupted: Record<string, Time>;
}

/** The status derived from the numbers. Undefined if it is up to date. */
export function nextStatus(
  budget: PodDisruptionBudget,
  counted: Counted,
  now: number,
): PodDisruptionBudgetStatus | undefined {
  const { currentHealthy, desiredHealthy, expectedPods, disrupted } = counted;
  const { status: before } = budget;
  // New pods cannot be evicted before they are counted.
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const numbers = { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods };
  const allowed = disruptionsAllowed > 0;
  const condition = {
    type: ALLOWED,
    status: allowed ? 'True' : 'False',
    reason: allowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  };
  const known = allowedIn(before);
  const isSame =
    NUMBERS.every((field) => before[field] === numbers[field]) &&
    equal(before.disruptedPods ?? {}, disrupted) &&
    Number(before.observedGeneration ?? 0) === generationOf(budget) &&
    known?.status === condition.status &&
    known.reason === condition.reason;
  if (isSame) return undefined;
  return {
    ...numbers,
    ...(hasNoField(disrupted) ? {} : { disruptedPods: disrupted }),
    observedGeneration: generationOf(budget),
    conditions: withCondition(before, { ...condition, observedGeneration: generationOf(budget) }, now),
  };
}

const NUMBERS = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const;

/** The status of a budget that could not be counted, which allows no disruption. Undefined if it is up to date. */
export function failedStatus(
  { status: before }: PodDisruptionBudget,
  message: string,
  now: number,
): PodDisruptionBudgetStatus | undefined {
  const generation = Number(before.observedGeneration ?? 0);
  const condition = { type: ALLOWED, status: 'False', reason: 'SyncFailed', message };
  const known = generation === 0 ? condition : { ...condition, observedGeneration: generation };
  const next = { ...before, disruptionsAllowed: 0, conditions: withCondition(before, known, now) };
  return equal(next, before) ? undefined : next;
}

const allowedIn = ({ conditions = [] }: PodDisruptionBudgetStatus): Condition | undefined =>
  findCondition(conditions, ALLOWED);

function withCondition(
  status: PodDisruptionBudgetStatus,
  condition: Omit<Condition, 'lastTransitionTime'>,
  now: number,
): Condition[] {
  return updateCondition(status.conditions, { ...condition, lastTransitionTime: timeOf(now) });
}

/** The time in ms until a pod's DisruptionTarget condition is stale. Undefined if it has none that can become stale. */
export function staleMarkIn(pod: Pod, now: number): number | undefined {
  const mark = findCondition(pod.status.conditions, TARGET);
  if (mark === undefined || isDeleting(pod) || isPodTerminal(pod)) return undefined;
  // A termination by the kubelet has no time limit.
  if (mark.status !== 'True' || mark.reason === 'TerminationByKubelet') return undefined;
  return Math.max(0, millisecondsOf(mark.lastTransitionTime ?? '') + PATIENCE - now);
}

/** The pod with its DisruptionTarget condition set to False. */
export function withoutMark(pod: Pod, now: number): Pod {
  const unmarked = { type: TARGET, status: 'False', observedGeneration: generationOf(pod) };
  return { ...pod, status: { ...pod.status, conditions: updatePodCondition(pod.status.conditions, unmarked, now) } };
}
