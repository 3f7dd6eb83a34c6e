import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { generationOf, isDeleting, nameOf } from '#lib/machinery/meta.ts';
import { at, count, text } from '#lib/machinery/unstructured.ts';
import { minReadySecondsOf, replicasOf } from '../replicaset/decide.ts';
import { isAvailable, isReady, phaseOf } from '../workload/pod.ts';
import { revisionNameOf } from './identity.ts';

export interface Counted {
  readonly set: JsonObject;
  /** Those that the set controls. */
  readonly pods: readonly JsonObject[];
  /** The revision that pods were of before, and the one that they are to be of. */
  readonly current: JsonObject;
  readonly update: JsonObject;
  readonly collisions: number | undefined;
  readonly now: number;
}

export const isRunningAndReady = (pod: JsonObject): boolean => phaseOf(pod) === 'Running' && isReady(pod);

const FIELDS = ['replicas', 'readyReplicas', 'availableReplicas', 'currentReplicas', 'updatedReplicas'] as const;

/** The status that the set should have; undefined where it has it. Once all pods are of the new revision it is the current one. */
export function statusFor(counted: Counted): JsonObject | undefined {
  const { set, update, collisions } = counted;
  const held = objectAt(set, 'status');
  const counts = countsOf(counted);
  const isDone = isComplete(set, counts);
  const currentReplicas = isDone ? counts.updatedReplicas : counts.currentReplicas;
  const current = nameOf(isDone ? update : counted.current);
  const numbers: Record<(typeof FIELDS)[number], number> = { ...counts, currentReplicas };
  const isRight =
    generationOf(set) <= Number(count(held, 'observedGeneration')) &&
    FIELDS.every((field) => numbers[field] === Number(count(held, field))) &&
    text(held, 'currentRevision') === current &&
    text(held, 'updateRevision') === nameOf(update);
  if (isRight) return undefined;
  return {
    observedGeneration: generationOf(set),
    ...Object.fromEntries(Object.entries(numbers).filter(([field, n]) => n > 0 || KEPT.includes(field))),
    currentRevision: current,
    updateRevision: nameOf(update),
    collisionCount: collisions ?? 0,
  };
}

/** Told also where they are 0. */
const KEPT = ['replicas', 'availableReplicas'];

function countsOf({ set, pods, current, update, now }: Counted) {
  const ready = pods.filter(isRunningAndReady);
  const lasting = pods.filter((pod) => !isDeleting(pod));
  const of = (revision: JsonObject): number => lasting.filter((pod) => revisionNameOf(pod) === nameOf(revision)).length;
  return {
    replicas: pods.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySecondsOf(set), now)).length,
    currentReplicas: of(current),
    updatedReplicas: of(update),
  };
}

function isComplete(set: JsonObject, counts: ReturnType<typeof countsOf>): boolean {
  const isRolling = text(at(set, 'spec', 'updateStrategy'), 'type') === 'RollingUpdate';
  const wanted = replicasOf(set);
  return (
    isRolling && counts.updatedReplicas === wanted && counts.readyReplicas === wanted && counts.replicas === wanted
  );
}
