import type { Deployment, ReplicaSet } from '#lib/api/types/apps.v1.ts';
import { isPodTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { findCondition } from '#lib/machinery/conditions.ts';
import { annotationsOf, controllerOf, generationOf, isDeleting, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { semanticEqual } from '#lib/server/registry/kinds/shared/semantic.ts';
import { minReadySecondsOf, replicasOf } from '../replicaset/decide.ts';
import { createCurrent } from './create.ts';
import { isRolling } from './limits.ts';
import { annotated, annotationsFor, byRevision, REVISION, revisionsOf, sizeAnnotations } from './revisions.ts';
import { rollBack, rollbackOf } from './rollback.ts';
import { isScaling, newSize, none, scaleAll, shrinkOld } from './sizes.ts';
import {
  countedStatus,
  deadlineOf,
  historyOf,
  isComplete,
  nextLook,
  PROGRESSING,
  progressing,
  rolloutStatus,
} from './status.ts';
import { conditioned, type Observed, resize, type Step, type View } from './steps.ts';

/** The writes of this reconciliation, or the delay in ms before the next one. Each write triggers another reconciliation. */
export interface Decision {
  readonly steps: readonly Step[];
  readonly lookIn?: number | undefined;
}

/** The first write that brings the deployment closer to its spec: upstream's syncDeployment, one write at a time. */
export function decide(observed: Observed): Decision {
  const view = { ...observed, ...revisionsOf(observed.deployment, observed.sets) };
  const { deployment, sets } = view;
  if (isDeleting(deployment)) return first(view, [syncCurrent], plain);
  if (deployment.spec.paused === true) return first(view, [pause, syncCurrent, scale, cleanUp], plain);
  if (rollbackOf(deployment) !== undefined) return first(view, [pause, syncCurrent, createCurrent, rollBack], plain);
  if (isScaling(deployment, sets)) return first(view, [pause, syncCurrent, scale], plain);
  const update = isRolling(deployment) ? ROLLING : RECREATE;
  return first(view, [pause, syncCurrent, ...update, cleanUpWhenComplete], rolloutStatus);
}

type Check = (view: View) => readonly Step[];

function first(view: View, checks: readonly Check[], statusOf: typeof rolloutStatus): Decision {
  for (const check of checks) {
    const steps = check(view);
    if (steps.length > 0) return { steps };
  }
  const { deployment, sets, current, now } = view;
  const status = statusOf(deployment, sets, current, now);
  if (!semanticEqual(status, deployment.status))
    return { steps: [{ do: 'status', deployment: { ...deployment, status } }] };
  return { steps: [], lookIn: statusOf === rolloutStatus ? nextLook(deployment, now) : undefined };
}

const plain: typeof rolloutStatus = countedStatus;

/** Time while a deployment is paused does not count towards its deadline. */
function pause(view: View): readonly Step[] {
  const { deployment } = view;
  const reason = findCondition(deployment.status.conditions, PROGRESSING)?.reason;
  if (deadlineOf(deployment) === undefined || reason === 'ProgressDeadlineExceeded') return [];
  const isPaused = deployment.spec.paused === true;
  if (isPaused === (reason === 'DeploymentPaused')) return [];
  const condition = isPaused
    ? progressing('Unknown', 'DeploymentPaused', 'Deployment is paused')
    : progressing('Unknown', 'DeploymentResumed', 'Deployment is resumed');
  return [{ do: 'status', deployment: conditioned(view, condition) }];
}

/** Copies the deployment's annotations and revision number to the newest set, and the number to the deployment. */
function syncCurrent(view: View): readonly Step[] {
  const { deployment, current, next } = view;
  if (current === undefined) return [];
  const annotations = annotationsFor(deployment, current, next);
  const minReadySeconds = minReadySecondsOf(deployment);
  const isSame = semanticEqual(annotations, { ...annotationsOf(current) });
  if (!isSame || minReadySecondsOf(current) !== minReadySeconds) {
    const spec = { ...current.spec, minReadySeconds };
    return [{ do: 'update', set: { ...annotated(current, annotations), spec } }];
  }
  const revision = annotations[REVISION] ?? '';
  const isFound =
    deadlineOf(deployment) !== undefined && findCondition(deployment.status.conditions, PROGRESSING) === undefined;
  if (!isFound && (annotationsOf(deployment)[REVISION] ?? '') === revision) return [];
  if (!isFound)
    return [
      { do: 'status', deployment: annotated(deployment, { ...annotationsOf(deployment), [REVISION]: revision }) },
    ];
  const found = progressing('True', 'FoundNewReplicaSet', `Found new replica set "${nameOf(current)}"`);
  return [{ do: 'status', deployment: conditioned(view, found, revision) }];
}

function scale({ deployment, current, old }: View): readonly Step[] {
  const { sizings, annotate } = scaleAll(deployment, current, old);
  const wanted = sizeAnnotations(deployment);
  const isTold = (set: ReplicaSet): boolean =>
    Object.entries(wanted).every(([key, value]) => annotationsOf(set)[key] === value);
  const wrong = sizings.filter(({ set, replicas }) => replicasOf(set) !== replicas || (annotate && !isTold(set)));
  return resize(deployment, wrong);
}

/** Upstream's rolloutRolling. */
const ROLLING: readonly Check[] = [
  createCurrent,
  growCurrent,
  ({ deployment, current, old }) =>
    current === undefined ? [] : resize(deployment, shrinkOld(deployment, current, old)),
];

function growCurrent({ deployment, sets, current }: View): readonly Step[] {
  if (current === undefined) return [];
  const replicas = newSize(deployment, sets, replicasOf(current));
  return replicas === replicasOf(current) ? [] : resize(deployment, [{ set: current, replicas }]);
}

/** Upstream's rolloutRecreate: creates no new pods before all old ones are deleted. */
const RECREATE: readonly Check[] = [
  ({ deployment, old }) => resize(deployment, none(old)),
  (view) => (oldPodsRun(view) ? [] : createCurrent(view)),
  (view) => (oldPodsRun(view) ? [] : growCurrent(view)),
];

function oldPodsRun({ current, old, pods }: View): boolean {
  if (old.some((set) => set.status.replicas !== 0)) return true;
  const uid = current === undefined ? undefined : uidOf(current);
  return pods.some((pod) => !isPodTerminal(pod) && controllerOf(pod)?.uid !== uid);
}

const cleanUpWhenComplete: Check = (view) => (isComplete(view.deployment, view.deployment.status) ? cleanUp(view) : []);

/** Deletes old sets beyond the limit, oldest first. Sets that have pods or an outdated status stay. */
function cleanUp({ deployment, old }: View): readonly Step[] {
  const limit = historyOf(deployment);
  const alive = old.filter((set) => !isDeleting(set));
  if (limit === undefined || alive.length <= limit) return [];
  return alive
    .toSorted(byRevision)
    .slice(0, alive.length - limit)
    .filter(isIdle)
    .map((set) => ({ do: 'delete', set }));
}

function isIdle(set: ReplicaSet): boolean {
  const { observedGeneration = 0, replicas } = set.status;
  const isSeen = generationOf(set) <= Number(observedGeneration);
  return replicasOf(set) === 0 && replicas === 0 && isSeen;
}

/** Whether all old pods must be deleted before new ones are created. */
export const recreates = ({ spec }: Deployment): boolean => spec.strategy.type === 'Recreate';
