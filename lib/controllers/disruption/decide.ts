import type { Pod, PodCondition } from '#lib/api/types/core.v1.ts';
import type { Condition } from '#lib/api/types/meta.v1.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '#lib/api/types/policy.v1.ts';
import type { IntOrString, Time } from '#lib/api/types/scalars.ts';
import { equal, hasNoField } from '#lib/machinery/json-value.ts';
import { controllerOf, generationOf, isDeleting, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { dateOf, instantOf, parseTime, timeText } from '#lib/machinery/time.ts';
import { amountOf } from '#lib/server/registry/kinds/shared/int-or-percent.ts';
import { conditionOf } from '../workload/conditions.ts';
import { isReady, isTerminal } from '../workload/pod.ts';

/** Milliseconds in which a pod that was let go is expected to be deleted, and a mark of disruption to come true. */
const PATIENCE = 120_000;
const ALLOWED = 'DisruptionAllowed';
const TARGET = 'DisruptionTarget';

const millisecondsOf = (time: string): number => dateOf(parseTime(time)).getTime();
const textOf = (now: number): string | null => timeText(instantOf(new Date(now)));

/** The state of a pod that counts for budgets besides its labels, as a text. */
export const budgetStateOf = (pod: Pod): string =>
  [uidOf(pod), isDeleting(pod), isReady(pod), controllerOf(pod)?.uid].join();

/** Whether the budget asks how many pods their controllers want: an amount of existing pods does not. */
export const asksForScale = ({ spec: { maxUnavailable, minAvailable } }: PodDisruptionBudget): boolean =>
  maxUnavailable !== undefined || typeof minAvailable === 'string';

/** The numbers of pods that a budget asks for. */
export interface Amounts {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
}

/** The number of pods that there should be, and of healthy ones. `scale` is the sum of their controllers'. */
export function amounts({ spec }: PodDisruptionBudget, pods: number, scale: number): Amounts {
  const { maxUnavailable, minAvailable } = spec;
  const whole = (value: IntOrString): number =>
    typeof value === 'string' ? Math.ceil((amountOf(value) * scale) / 100) : value;
  if (maxUnavailable !== undefined)
    return { expectedPods: scale, desiredHealthy: Math.max(0, scale - whole(maxUnavailable)) };
  if (minAvailable === undefined) return { expectedPods: 0, desiredHealthy: 0 };
  return { expectedPods: typeof minAvailable === 'string' ? scale : pods, desiredHealthy: whole(minAvailable) };
}

/** The pods that were let go. */
export interface Disrupted {
  /** The times at which pods were let go that are not gone yet, by their names. */
  readonly pods: Record<string, Time>;
  /** Pods that should be gone long since. */
  readonly overdue: readonly Pod[];
  /** Milliseconds until the next of them is overdue. */
  readonly wait: number | undefined;
}

/** The pods that evictions noted in the budget, as far as that is still to be believed. `now` is in milliseconds since 1970. */
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

/** Counts the pods that are ready and that nobody asked to go. */
export function countHealthy(pods: readonly Pod[], disrupted: Record<string, Time>): number {
  return pods.filter((pod) => !isDeleting(pod) && !Object.hasOwn(disrupted, nameOf(pod)) && isReady(pod)).length;
}

/** The numbers of a budget. */
export interface Counted extends Amounts {
  readonly currentHealthy: number;
  readonly disrupted: Record<string, Time>;
}

/** The status that follows from the numbers; undefined where the budget has it. */
export function nextStatus(
  budget: PodDisruptionBudget,
  counted: Counted,
  now: number,
): PodDisruptionBudgetStatus | undefined {
  const { currentHealthy, desiredHealthy, expectedPods, disrupted } = counted;
  const { status: before } = budget;
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

/** The status of a budget that could not be counted, so that it lets nothing go; undefined where the budget has it. */
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
  conditionOf(conditions, ALLOWED);

function withCondition(
  status: PodDisruptionBudgetStatus,
  condition: Omit<Condition, 'lastTransitionTime'>,
  now: number,
): Condition[] {
  const known = allowedIn(status);
  const since = known?.status === condition.status ? (known.lastTransitionTime ?? '') : textOf(now);
  const next = { ...condition, lastTransitionTime: since };
  const { conditions = [] } = status;
  return known === undefined ? [...conditions, next] : conditions.map((one) => (one === known ? next : one));
}

/** Milliseconds until a pod's mark of disruption is not to be believed any more; undefined where it has none that lapses. */
export function staleMarkIn(pod: Pod, now: number): number | undefined {
  const mark = conditionOf(pod.status.conditions ?? [], TARGET);
  if (mark === undefined || isDeleting(pod) || isTerminal(pod)) return undefined;
  // A kubelet may take as long as it likes.
  if (mark.status !== 'True' || mark.reason === 'TerminationByKubelet') return undefined;
  return Math.max(0, millisecondsOf(mark.lastTransitionTime ?? '') + PATIENCE - now);
}

/** The pod with its mark of disruption taken back. */
export function withoutMark(pod: Pod, now: number): Pod {
  const unmarked: PodCondition = {
    type: TARGET,
    status: 'False',
    observedGeneration: generationOf(pod),
    lastProbeTime: null,
    lastTransitionTime: textOf(now),
  };
  const conditions = (pod.status.conditions ?? []).map((one) => (one.type === TARGET ? unmarked : one));
  return { ...pod, status: { ...pod.status, conditions } };
}
