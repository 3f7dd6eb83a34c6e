import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { generationOf, nameOf } from '#lib/machinery/meta.ts';
import { at, count, integer, text } from '#lib/machinery/unstructured.ts';
import { replicasOf } from '../replicaset/decide.ts';
import { conditionOf, conditionsOf, timeOf, without, type Conditions } from '../workload/conditions.ts';
import { leastAvailable } from './limits.ts';

export const PROGRESSING = 'Progressing';
const FAILURE = 'ReplicaFailure';
const NO_LIMIT = 0x7fffffff;

const numberIn = (status: JsonObject | undefined, field: string): number => Number(count(status, field));
const limitOf = (deployment: JsonObject, field: string): number | undefined => {
  const limit = integer(objectAt(deployment, 'spec'), field);
  return limit === undefined || Number(limit) === NO_LIMIT ? undefined : Number(limit);
};

/** Seconds in which an update has to get on; undefined where it has all the time. */
export const deadlineOf = (deployment: JsonObject): number | undefined =>
  limitOf(deployment, 'progressDeadlineSeconds');
/** Old sets that are kept; undefined for all. */
export const historyOf = (deployment: JsonObject): number | undefined => limitOf(deployment, 'revisionHistoryLimit');

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** The conditions with one more. The same status and reason change nothing; the same status keeps its time. */
export function withCondition(conditions: Conditions, condition: Condition, now: number): Conditions {
  const held = conditionOf(conditions, condition.type);
  if (held?.['status'] === condition.status && held['reason'] === condition.reason) return conditions;
  return [...without(conditions, condition.type), stamped(condition, held, now)];
}

function stamped({ type, ...rest }: Condition, held: JsonObject | undefined, now: number): JsonObject {
  const time = timeOf(now);
  const since = held?.['status'] === rest.status ? (held['lastTransitionTime'] ?? time) : time;
  return { type, ...rest, lastUpdateTime: time, lastTransitionTime: since };
}

/** What counting sets gives: upstream's calculateStatus. */
export function countedStatus(
  deployment: JsonObject,
  sets: readonly JsonObject[],
  current: JsonObject | undefined,
  now: number,
): JsonObject {
  const held = objectAt(deployment, 'status');
  const sum = (field: string, of = sets): number =>
    of.reduce((all, set) => all + numberIn(objectAt(set, 'status'), field), 0);
  const available = sum('availableReplicas');
  const counts: JsonObject = {
    observedGeneration: generationOf(deployment),
    replicas: sum('replicas'),
    updatedReplicas: sum('replicas', current === undefined ? [] : [current]),
    readyReplicas: sum('readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, sets.reduce((all, set) => all + replicasOf(set), 0) - available),
  };
  const collisions = ownField(held, 'collisionCount');
  return {
    ...Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== 0)),
    ...terminating(sets),
    ...(collisions === undefined ? {} : { collisionCount: collisions }),
    conditions: [...withCondition(conditionsOf(deployment), availability(deployment, available), now)],
  };
}

/** Nothing where a set that was looked after does not tell. */
function terminating(sets: readonly JsonObject[]): JsonObject {
  const seen = sets.map((set) => objectAt(set, 'status')).filter((status) => !isNew(status));
  const numbers = seen.map((status) => integer(status, 'terminatingReplicas'));
  if (numbers.includes(undefined)) return {};
  return { terminatingReplicas: numbers.reduce<number>((all, one) => all + Number(one), 0) };
}

const isNew = (status: JsonObject | undefined): boolean =>
  numberIn(status, 'observedGeneration') === 0 && integer(status, 'terminatingReplicas') === undefined;

function availability(deployment: JsonObject, available: number): Condition {
  const type = 'Available';
  return available >= leastAvailable(deployment)
    ? { type, status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' }
    : {
        type,
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
}

/** Whether all that is wanted is of the newest set and available, and nothing else is left. */
export function isComplete(deployment: JsonObject, status: JsonObject | undefined): boolean {
  const wanted = replicasOf(deployment);
  return (
    ['updatedReplicas', 'replicas', 'availableReplicas'].every((field) => numberIn(status, field) === wanted) &&
    numberIn(status, 'observedGeneration') >= generationOf(deployment)
  );
}

function hasProgressed(held: JsonObject | undefined, status: JsonObject): boolean {
  const old = (of: JsonObject | undefined): number => numberIn(of, 'replicas') - numberIn(of, 'updatedReplicas');
  const grew = ['updatedReplicas', 'readyReplicas', 'availableReplicas'].some(
    (field) => numberIn(status, field) > numberIn(held, field),
  );
  return grew || old(status) < old(held);
}

export const progressing = (status: Condition['status'], reason: string, message: string): Condition => ({
  type: PROGRESSING,
  status,
  reason,
  message,
});

/** The counted status with what it tells of the update's progress: upstream's syncRolloutStatus. */
export function rolloutStatus(
  deployment: JsonObject,
  sets: readonly JsonObject[],
  current: JsonObject | undefined,
  now: number,
): JsonObject {
  const status = countedStatus(deployment, sets, current, now);
  const conditions = withFailure(withProgress(deployment, status, current, now), sets, current);
  return { ...status, conditions: [...conditions] };
}

function withProgress(
  deployment: JsonObject,
  status: JsonObject,
  current: JsonObject | undefined,
  now: number,
): Conditions {
  const conditions = conditionsOf({ status });
  const held = conditionOf(conditions, PROGRESSING);
  if (deadlineOf(deployment) === undefined) return without(conditions, PROGRESSING);
  const isDone = numberIn(status, 'replicas') === numberIn(status, 'updatedReplicas');
  if (isDone && held?.['reason'] === 'NewReplicaSetAvailable') return conditions;
  const what = current === undefined ? `Deployment "${nameOf(deployment)}"` : `ReplicaSet "${nameOf(current)}"`;
  if (isComplete(deployment, status)) {
    const done = progressing('True', 'NewReplicaSetAvailable', `${what} has successfully progressed.`);
    return withCondition(conditions, done, now);
  }
  if (hasProgressed(objectAt(deployment, 'status'), status)) {
    const going = progressing('True', 'ReplicaSetUpdated', `${what} is progressing.`);
    return [...without(conditions, PROGRESSING), stamped(going, held, now)];
  }
  if (!isTimedOut(deployment, held, now)) return conditions;
  const late = progressing('False', 'ProgressDeadlineExceeded', `${what} has timed out progressing.`);
  return withCondition(conditions, late, now);
}

function isTimedOut(deployment: JsonObject, held: JsonObject | undefined, now: number): boolean {
  if (held === undefined || held['reason'] === 'NewReplicaSetAvailable') return false;
  return held['reason'] === 'ProgressDeadlineExceeded' || untilDeadline(deployment, held, now) < 0;
}

const untilDeadline = (deployment: JsonObject, held: JsonObject, now: number): number =>
  Date.parse(text(held, 'lastUpdateTime')) + (deadlineOf(deployment) ?? 0) * 1000 - now;

/** A set's failure is the deployment's; the newest set's before others'. */
function withFailure(conditions: Conditions, sets: readonly JsonObject[], current: JsonObject | undefined): Conditions {
  const failure = [...(current === undefined ? [] : [current]), ...sets]
    .map((set) => conditionOf(conditionsOf(set), FAILURE))
    .find((condition) => condition !== undefined);
  if (failure === undefined) return without(conditions, FAILURE);
  const held = conditionOf(conditions, FAILURE);
  if (held?.['status'] === failure['status'] && held?.['reason'] === failure['reason']) return conditions;
  const time = text(failure, 'lastTransitionTime');
  return [...without(conditions, FAILURE), { ...failure, lastUpdateTime: time, lastTransitionTime: time }];
}

/** Milliseconds until the deadline is to be looked at; undefined where no update is going on. */
export function nextLook(deployment: JsonObject, now: number): number | undefined {
  const held = conditionOf(conditionsOf(deployment), PROGRESSING);
  if (deadlineOf(deployment) === undefined || held === undefined) return undefined;
  if (isComplete(deployment, at(deployment, 'status')) || held['reason'] === 'ProgressDeadlineExceeded')
    return undefined;
  return Math.max(0, untilDeadline(deployment, held, now)) + 1000;
}
