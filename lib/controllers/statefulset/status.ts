import type { ControllerRevision, StatefulSet, StatefulSetStatus } from '#lib/api/types/apps.v1.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { phaseOf } from '#lib/helpers/component-helpers/pod/phase.ts';
import { isPodAvailable, isPodReady } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { defined } from '#lib/machinery/defined.ts';
import { generationOf, isDeleting, nameOf } from '#lib/machinery/meta.ts';
import { minReadySecondsOf, replicasOf } from '../replicaset/decide.ts';
import { unlessZero } from '../workload/unless-zero.ts';
import { revisionNameOf } from './identity.ts';

/** A set with its pods and revisions. */
export interface Counted {
  readonly set: StatefulSet;
  /** The pods that the set controls. */
  readonly pods: readonly Pod[];
  /** The current revision of the pods, and the revision to update them to. */
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  /** How often the name of a revision was already taken. Undefined if never. */
  readonly collisions: number | undefined;
  /** The current time in ms since 1970. */
  readonly now: number;
}

const isRunningAndReady = (pod: Pod): boolean => phaseOf(pod) === 'Running' && isPodReady(pod);

const FIELDS = ['replicas', 'readyReplicas', 'availableReplicas', 'currentReplicas', 'updatedReplicas'] as const;

/** The status that the set should have. Undefined if it is up to date. Once all pods have the new revision, it becomes the current one. */
export function statusFor(counted: Counted): StatefulSetStatus | undefined {
  const { set, update, collisions } = counted;
  const { status: held } = set;
  const counts = countsOf(counted);
  const isDone = isComplete(set, counts);
  const currentReplicas = isDone ? counts.updatedReplicas : counts.currentReplicas;
  const current = nameOf(isDone ? update : counted.current);
  const numbers = { ...counts, currentReplicas };
  const isRight =
    generationOf(set) <= Number(held.observedGeneration ?? 0) &&
    FIELDS.every((field) => numbers[field] === (held[field] ?? 0)) &&
    (held.currentRevision ?? '') === current &&
    (held.updateRevision ?? '') === nameOf(update);
  if (isRight) return undefined;
  return {
    observedGeneration: generationOf(set),
    replicas: numbers.replicas,
    availableReplicas: numbers.availableReplicas,
    ...defined({
      readyReplicas: unlessZero(numbers.readyReplicas),
      currentReplicas: unlessZero(currentReplicas),
      updatedReplicas: unlessZero(numbers.updatedReplicas),
    }),
    currentRevision: current,
    updateRevision: nameOf(update),
    collisionCount: collisions ?? 0,
  };
}

function countsOf({ set, pods, current, update, now }: Counted) {
  const ready = pods.filter(isRunningAndReady);
  const lasting = pods.filter((pod) => !isDeleting(pod));
  const of = (revision: ControllerRevision): number =>
    lasting.filter((pod) => revisionNameOf(pod) === nameOf(revision)).length;
  return {
    replicas: pods.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isPodAvailable(pod, minReadySecondsOf(set), now)).length,
    currentReplicas: of(current),
    updatedReplicas: of(update),
  };
}

function isComplete(set: StatefulSet, counts: ReturnType<typeof countsOf>): boolean {
  const isRolling = set.spec.updateStrategy.type === 'RollingUpdate';
  const wanted = replicasOf(set);
  return (
    isRolling && counts.updatedReplicas === wanted && counts.readyReplicas === wanted && counts.replicas === wanted
  );
}
