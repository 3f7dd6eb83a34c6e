import type {
  Deployment,
  DeploymentCondition,
  DeploymentStatus,
  ReplicaSet,
  ReplicaSetStatus,
} from '#lib/api/types/apps.v1.ts';
import { findCondition, transitioned, withoutCondition } from '#lib/machinery/conditions.ts';
import { defined } from '#lib/machinery/defined.ts';
import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
import { generationOf, nameOf } from '#lib/machinery/meta.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { replicasOf } from '../replicaset/decide.ts';
import { unlessZero } from '../workload/unless-zero.ts';
import { leastAvailable } from './limits.ts';

/** The type of the condition that reports an update's progress. */
export const PROGRESSING = 'Progressing';
const FAILURE = 'ReplicaFailure';
/** Upstream's value for an unlimited deadline or history. */
const NO_LIMIT = MAX_INT32;

type Conditions = readonly DeploymentCondition[];

const limited = (limit: number | undefined): number | undefined => (limit === NO_LIMIT ? undefined : limit);

/** The time in seconds in which an update must make progress. Undefined if there is no deadline. */
export const deadlineOf = ({ spec }: Deployment): number | undefined => limited(spec.progressDeadlineSeconds);
/** The number of old sets to keep, undefined for all. */
export const historyOf = ({ spec }: Deployment): number | undefined => limited(spec.revisionHistoryLimit);

/** A condition without its times. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/**
 * The conditions with this one set. If status and reason are equal, the list is unchanged. If only the status is equal, the transition time
 * is kept.
 */
export function withCondition(conditions: Conditions, condition: Condition, now: number): Conditions {
  const held = findCondition(conditions, condition.type);
  if (held?.status === condition.status && held.reason === condition.reason) return conditions;
  return [...withoutCondition(conditions, condition.type), stamped(condition, held, now)];
}

function stamped(condition: Condition, held: DeploymentCondition | undefined, now: number): DeploymentCondition {
  const time = timeOf(now);
  return transitioned<DeploymentCondition>({ ...condition, lastUpdateTime: time, lastTransitionTime: time }, held);
}

/** The status derived from the sets' counts: upstream's calculateStatus. `now` is in ms since 1970. */
export function countedStatus(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  current: ReplicaSet | undefined,
  now: number,
): DeploymentStatus {
  const { status: held } = deployment;
  const sum = (field: 'replicas' | 'readyReplicas' | 'availableReplicas'): number =>
    sets.reduce((all, { status }) => all + (status[field] ?? 0), 0);
  const available = sum('availableReplicas');
  const wanted = sets.reduce((all, set) => all + replicasOf(set), 0);
  return {
    ...defined({
      observedGeneration: unlessZero(generationOf(deployment)),
      replicas: unlessZero(sum('replicas')),
      updatedReplicas: unlessZero(current?.status.replicas ?? 0),
      readyReplicas: unlessZero(sum('readyReplicas')),
      availableReplicas: unlessZero(available),
      unavailableReplicas: unlessZero(Math.max(0, wanted - available)),
      terminatingReplicas: terminating(sets),
      collisionCount: held.collisionCount,
    }),
    conditions: [...withCondition(held.conditions ?? [], availability(deployment, available), now)],
  };
}

/** The number of terminating pods. Undefined if an observed set does not report it. */
function terminating(sets: readonly ReplicaSet[]): number | undefined {
  let all = 0;
  for (const { status } of sets) {
    if (isNew(status)) continue;
    if (status.terminatingReplicas === undefined) return undefined;
    all += status.terminatingReplicas;
  }
  return all;
}

const isNew = ({ observedGeneration = 0, terminatingReplicas }: ReplicaSetStatus): boolean =>
  Number(observedGeneration) === 0 && terminatingReplicas === undefined;

function availability(deployment: Deployment, available: number): Condition {
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

const COMPLETE = ['updatedReplicas', 'replicas', 'availableReplicas'] as const;

/** Whether all wanted pods belong to the newest set and are available, and no other pods remain. */
export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const wanted = replicasOf(deployment);
  return (
    COMPLETE.every((field) => (status[field] ?? 0) === wanted) &&
    Number(status.observedGeneration ?? 0) >= generationOf(deployment)
  );
}

const GROWING = ['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const;

function hasProgressed(held: DeploymentStatus, status: DeploymentStatus): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus): number => replicas - updatedReplicas;
  const grew = GROWING.some((field) => (status[field] ?? 0) > (held[field] ?? 0));
  return grew || old(status) < old(held);
}

/** A condition that reports an update's progress. */
export const progressing = (status: Condition['status'], reason: string, message: string): Condition => ({
  type: PROGRESSING,
  status,
  reason,
  message,
});

/** The counted status with the update's progress: upstream's syncRolloutStatus. */
export function rolloutStatus(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  current: ReplicaSet | undefined,
  now: number,
): DeploymentStatus {
  const status = countedStatus(deployment, sets, current, now);
  const conditions = withFailure(withProgress(deployment, status, current, now), sets, current);
  return { ...status, conditions: [...conditions] };
}

function withProgress(
  deployment: Deployment,
  status: DeploymentStatus,
  current: ReplicaSet | undefined,
  now: number,
): Conditions {
  const { conditions = [], replicas = 0, updatedReplicas = 0 } = status;
  const held = findCondition(conditions, PROGRESSING);
  if (deadlineOf(deployment) === undefined) return withoutCondition(conditions, PROGRESSING);
  const isDone = replicas === updatedReplicas;
  if (isDone && held?.reason === 'NewReplicaSetAvailable') return conditions;
  const what = current === undefined ? `Deployment "${nameOf(deployment)}"` : `ReplicaSet "${nameOf(current)}"`;
  if (isComplete(deployment, status)) {
    const done = progressing('True', 'NewReplicaSetAvailable', `${what} has successfully progressed.`);
    return withCondition(conditions, done, now);
  }
  if (hasProgressed(deployment.status, status)) {
    const going = progressing('True', 'ReplicaSetUpdated', `${what} is progressing.`);
    return [...withoutCondition(conditions, PROGRESSING), stamped(going, held, now)];
  }
  if (!isTimedOut(deployment, held, now)) return conditions;
  const late = progressing('False', 'ProgressDeadlineExceeded', `${what} has timed out progressing.`);
  return withCondition(conditions, late, now);
}

function isTimedOut(deployment: Deployment, held: DeploymentCondition | undefined, now: number): boolean {
  if (held === undefined || held.reason === 'NewReplicaSetAvailable') return false;
  return held.reason === 'ProgressDeadlineExceeded' || untilDeadline(deployment, held, now) < 0;
}

const untilDeadline = (deployment: Deployment, held: DeploymentCondition, now: number): number =>
  Date.parse(held.lastUpdateTime ?? '') + (deadlineOf(deployment) ?? 0) * 1000 - now;

/** Copies a set's failure to the deployment. The newest set's failure takes precedence. */
function withFailure(conditions: Conditions, sets: readonly ReplicaSet[], current: ReplicaSet | undefined): Conditions {
  const failure = [...(current === undefined ? [] : [current]), ...sets]
    .map((set) => findCondition(set.status.conditions, FAILURE))
    .find((condition) => condition !== undefined);
  if (failure === undefined) return withoutCondition(conditions, FAILURE);
  const held = findCondition(conditions, FAILURE);
  if (held?.status === failure.status && held.reason === failure.reason) return conditions;
  const { type, status, reason, message, lastTransitionTime } = failure;
  const time = lastTransitionTime ?? '';
  const told = { type, status, lastUpdateTime: time, lastTransitionTime: time, ...defined({ reason, message }) };
  return [...withoutCondition(conditions, FAILURE), told];
}

/** The reasons that mark an update as ended. The deadline then no longer applies. */
const ENDED: readonly (string | undefined)[] = ['NewReplicaSetAvailable', 'ProgressDeadlineExceeded'];

/** The time in ms until the deadline check. Undefined if no update is in progress. */
export function nextLook(deployment: Deployment, now: number): number | undefined {
  const held = findCondition(deployment.status.conditions, PROGRESSING);
  if (deadlineOf(deployment) === undefined || held === undefined) return undefined;
  if (isComplete(deployment, deployment.status) || ENDED.includes(held.reason)) return undefined;
  return Math.max(0, untilDeadline(deployment, held, now)) + 1000;
}
