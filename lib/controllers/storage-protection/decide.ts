import type { PersistentVolume, PersistentVolumeClaim, Pod } from '#lib/api/types/core.v1.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { podClaims } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { controllerOf, finalizersOf, isDeleting, metadataOf, nameOf, uidOf } from '#lib/machinery/meta.ts';

/** The finalizers that keep objects while they are used. Admission adds them, and the controllers remove them. */
export const FINALIZERS = {
  claims: 'kubernetes.io/pvc-protection',
  volumes: 'kubernetes.io/pv-protection',
  classes: 'kubernetes.io/vac-protection',
} as const;

/** The next step for an object. A deleted object loses the finalizer once it is unused, and any other object has it. */
export function wanted(object: JsonObject, finalizer: string): 'check' | 'add' | undefined {
  const has = finalizersOf(object).includes(finalizer);
  if (isDeleting(object)) return has ? 'check' : undefined;
  return has ? undefined : 'add';
}

/** A copy of the object with one more finalizer. */
export function withFinalizer(object: JsonObject, finalizer: string): JsonObject {
  return withFinalizers(object, [...finalizersOf(object), finalizer]);
}

/** A copy of the object without the finalizer. */
export function withoutFinalizer(object: JsonObject, finalizer: string): JsonObject {
  return withFinalizers(
    object,
    finalizersOf(object).filter((one) => one !== finalizer),
  );
}

function withFinalizers(object: JsonObject, finalizers: string[]): JsonObject {
  return { ...object, metadata: { ...metadataOf(object), finalizers } };
}

/**
 * Whether a pod keeps a deleted claim. A pod without a node does not: no kubelet starts a pod whose claim is being deleted. Neither does a
 * pod that owns the claim, if the pod is deleted except for finalizers. Otherwise pod and claim would wait for each other.
 */
export function podUsesClaim(pod: Pod, claim: PersistentVolumeClaim): boolean {
  if (nodeNameOf(pod) === '') return false;
  const name = nameOf(claim);
  return podClaims(pod).some(
    (one) => one.name === name && (!one.isEphemeral || (!isShutDown(pod) && controllerOf(claim)?.uid === uidOf(pod))),
  );
}

const isShutDown = (pod: Pod): boolean => isDeleting(pod) && Number(pod.metadata.deletionGracePeriodSeconds ?? 1) === 0;

/** Whether a claim keeps a deleted volume. */
export const volumeIsUsed = ({ status }: PersistentVolume): boolean => status.phase === 'Bound';

/** The names of the attribute classes that a claim has, requests, or is changing to. */
export const classesOfClaim = ({ spec, status }: PersistentVolumeClaim): string[] =>
  [
    spec.volumeAttributesClassName ?? '',
    status.currentVolumeAttributesClassName ?? '',
    status.modifyVolumeStatus?.targetVolumeAttributesClassName ?? '',
  ].filter((name) => name !== '');

/** The name of the attribute class of a volume. */
export const classesOfVolume = ({ spec }: PersistentVolume): string[] =>
  [spec.volumeAttributesClassName ?? ''].filter((name) => name !== '');
