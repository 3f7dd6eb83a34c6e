import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { generationOf, labelsOf } from '#lib/machinery/meta.ts';
import { at, count, integer } from '#lib/machinery/unstructured.ts';
import { semanticEqual } from '#lib/registry/kinds/shared/semantic.ts';
import { conditionOf, conditionsOf, timeOf, without, type Conditions } from '../workload/conditions.ts';
import { isAvailable, isReady } from '../workload/pod.ts';

/** Pods that one turn creates or deletes at most. */
const BURST = 500;
const FAILURE = 'ReplicaFailure';

export const replicasOf = (owner: JsonObject): number => Number(integer(objectAt(owner, 'spec'), 'replicas') ?? 1);
export const minReadySecondsOf = (owner: JsonObject): number =>
  Number(count(objectAt(owner, 'spec'), 'minReadySeconds'));

/** How many pods to create, or (negative) to delete. */
export const lacking = (owner: JsonObject, active: readonly JsonObject[]): number =>
  Math.max(-BURST, Math.min(BURST, replicasOf(owner) - active.length));

export interface Observed {
  readonly active: readonly JsonObject[];
  /** Undefined where the kind does not count them. */
  readonly terminating: readonly JsonObject[] | undefined;
  /** What creating or deleting failed with. */
  readonly failure: string | undefined;
  readonly now: number;
}

/** The status that the owner should have; undefined where it has it: upstream's calculateStatus. */
export function statusFor(owner: JsonObject, observed: Observed): JsonObject | undefined {
  const { active, terminating, now } = observed;
  const ready = active.filter(isReady);
  const available = ready.filter((pod) => isAvailable(pod, minReadySecondsOf(owner), now));
  const conditions = conditionsFor(owner, observed);
  const status: JsonObject = {
    replicas: active.length,
    ...unlessZero('fullyLabeledReplicas', fullyLabeled(owner, active)),
    ...unlessZero('readyReplicas', ready.length),
    ...unlessZero('availableReplicas', available.length),
    ...(terminating === undefined ? {} : { terminatingReplicas: terminating.length }),
    ...unlessZero('observedGeneration', generationOf(owner)),
    ...(conditions.length === 0 ? {} : { conditions: [...conditions] }),
  };
  return semanticEqual(status, objectAt(owner, 'status') ?? {}) ? undefined : status;
}

const unlessZero = (field: string, value: number): JsonObject => (value === 0 ? {} : { [field]: value });

/** Those that have every label of the template. */
function fullyLabeled(owner: JsonObject, active: readonly JsonObject[]): number {
  const wanted = Object.entries(labelsOf(at(owner, 'spec', 'template') ?? {}));
  return active.filter((pod) => {
    const labels = labelsOf(pod);
    return wanted.every(([key, value]) => labels[key] === value);
  }).length;
}

function conditionsFor(owner: JsonObject, { active, failure, now }: Observed): Conditions {
  const conditions = conditionsOf(owner);
  if (failure === undefined) return without(conditions, FAILURE);
  if (conditionOf(conditions, FAILURE) !== undefined) return conditions;
  const condition: JsonObject = {
    type: FAILURE,
    status: 'True',
    lastTransitionTime: timeOf(now),
    reason: active.length < replicasOf(owner) ? 'FailedCreate' : 'FailedDelete',
    message: failure,
  };
  return [...conditions, condition];
}

export const readyButNotAvailable = (status: JsonObject | undefined): boolean =>
  count(status, 'readyReplicas') !== count(status, 'availableReplicas');
