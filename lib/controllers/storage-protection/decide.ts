import { podClaims } from '#lib/component-helpers/storage/ephemeral/pod-claims.ts';
import { arrayAt, isObject, objectAt, ownField, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, uidOf } from '#lib/machinery/meta.ts';

/** What keeps each kind of object alive while something uses it: admission puts it there, the controller takes it away. */
export const FINALIZERS = {
  claims: 'kubernetes.io/pvc-protection',
  volumes: 'kubernetes.io/pv-protection',
  classes: 'kubernetes.io/vac-protection',
} as const;

const finalizersOf = (object: JsonObject): string[] =>
  arrayAt(objectAt(object, 'metadata'), 'finalizers').filter((one) => typeof one === 'string');

const isDeleted = (object: JsonObject): boolean =>
  stringAt(objectAt(object, 'metadata'), 'deletionTimestamp') !== undefined;

/** What there is to do: an object that goes loses the finalizer once nothing uses it, one that stays has it. */
export function wanted(object: JsonObject, finalizer: string): 'check' | 'add' | undefined {
  const has = finalizersOf(object).includes(finalizer);
  if (isDeleted(object)) return has ? 'check' : undefined;
  return has ? undefined : 'add';
}

export function withFinalizer(object: JsonObject, finalizer: string): JsonObject {
  return withFinalizers(object, [...finalizersOf(object), finalizer]);
}

export function withoutFinalizer(object: JsonObject, finalizer: string): JsonObject {
  return withFinalizers(
    object,
    finalizersOf(object).filter((one) => one !== finalizer),
  );
}

function withFinalizers(object: JsonObject, finalizers: string[]): JsonObject {
  return { ...object, metadata: { ...objectAt(object, 'metadata'), finalizers } };
}

/**
 * Whether a pod keeps a claim that was deleted. One without a node does not: no kubelet starts a pod whose claim is going.
 * Neither does one that has its own claim and is itself gone but for finalizers, or each would wait for the other.
 */
export function podUsesClaim(pod: JsonObject, claim: JsonObject): boolean {
  if ((stringAt(objectAt(pod, 'spec'), 'nodeName') ?? '') === '') return false;
  const name = nameOf(claim);
  return podClaims(pod).some(
    (one) => one.name === name && (!one.isEphemeral || (!isShutDown(pod) && isControlledBy(claim, uidOf(pod)))),
  );
}

function isShutDown(pod: JsonObject): boolean {
  return isDeleted(pod) && Number(ownField(objectAt(pod, 'metadata'), 'deletionGracePeriodSeconds') ?? 1) === 0;
}

const isControlledBy = (object: JsonObject, uid: string): boolean =>
  arrayAt(objectAt(object, 'metadata'), 'ownerReferences').some(
    (owner) => isObject(owner) && owner['controller'] === true && stringAt(owner, 'uid') === uid,
  );

export const volumeIsUsed = (volume: JsonObject): boolean => stringAt(objectAt(volume, 'status'), 'phase') === 'Bound';

/** Names of the attribute classes that a claim or volume is of, is to be of, or is becoming. */
export function classesOf(object: JsonObject): string[] {
  const status = objectAt(object, 'status');
  return [
    stringAt(objectAt(object, 'spec'), 'volumeAttributesClassName'),
    stringAt(status, 'currentVolumeAttributesClassName'),
    stringAt(objectAt(status, 'modifyVolumeStatus'), 'targetVolumeAttributesClassName'),
  ].filter((name): name is string => name !== undefined && name !== '');
}
