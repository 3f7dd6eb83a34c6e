import type { PersistentVolume, PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { podClaims } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import { BIND_COMPLETED, isAnnotated } from '#lib/helpers/component-helpers/storage/volume/annotations.ts';
import { classOf } from '#lib/helpers/component-helpers/storage/volume/match.ts';
import type { Handle } from '../../interface.ts';
import type { PodInfo } from '../../pod-info.ts';
import { AssumeCache } from './assume-cache.ts';

/** The known volumes and claims, including assumed states. */
export interface Caches {
  readonly claims: AssumeCache<PersistentVolumeClaim>;
  readonly volumes: AssumeCache<PersistentVolume>;
}

/** Creates caches of claims and volumes on top of a handle's listers. */
export const newCaches = (handle: Handle): Caches => ({
  claims: new AssumeCache(() => handle.lister('persistentvolumeclaims')),
  volumes: new AssumeCache(() => handle.lister('persistentvolumes')),
});

/** A claim and the volume to bind to it. */
export interface Binding {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
}

/** The decision for a pod's claims on one node: bind a volume to each, or provision one. */
export interface PodVolumes {
  readonly bindings: readonly Binding[];
  readonly provisions: readonly PersistentVolumeClaim[];
}

/** A pod's claims by binding mode. */
export interface PodVolumeClaims {
  readonly bound: readonly PersistentVolumeClaim[];
  /** Claims to bind after a node is chosen. */
  readonly delayed: readonly PersistentVolumeClaim[];
  /** Claims that should already be bound. */
  readonly immediate: readonly PersistentVolumeClaim[];
  /** The volumes for delayed claims, by storage class. */
  readonly volumes: ReadonlyMap<string, readonly PersistentVolume[]>;
}

/** Whether claim and volume are bound on both sides. */
export const isBound = (claim: PersistentVolumeClaim): boolean =>
  (claim.spec.volumeName ?? '') !== '' && isAnnotated(claim, BIND_COMPLETED);

/** Whether each of the pod's claims exists and is bound. */
export const areBound = (caches: Caches, pod: PodInfo): boolean => {
  const claims = claimsOf(caches, pod);
  return claims.length === podClaims(pod.pod).length && claims.every(isBound);
};

/** The pod's claims, without deleted ones. */
const claimsOf = ({ claims }: Caches, { pod, namespace }: PodInfo): PersistentVolumeClaim[] =>
  podClaims(pod)
    .map(({ name }) => claims.get(namespace, name))
    .filter((claim) => claim !== undefined);

/** Upstream's GetPodVolumeClaims. Returns an error text for an invalid storage class. */
export function podVolumeClaims(handle: Handle, caches: Caches, pod: PodInfo): PodVolumeClaims | string {
  const claims = claimsOf(caches, pod);
  const open = claims.filter((claim) => !isBound(claim));
  const modeless = open.map((claim) => modeOf(handle, claim)).find((mode) => typeof mode === 'object');
  if (modeless !== undefined) return modeless.error;
  const isDelayed = (claim: PersistentVolumeClaim): boolean =>
    modeOf(handle, claim) === 'WaitForFirstConsumer' && (claim.spec.volumeName ?? '') === '';
  const delayed = open.filter(isDelayed);
  return {
    bound: claims.filter(isBound),
    delayed,
    immediate: open.filter((claim) => !isDelayed(claim)),
    volumes: delayed.length === 0 ? new Map() : Map.groupBy(caches.volumes.list(), classOf),
  };
}

/** The binding mode of the claim's class; undefined if the claim has no known class. */
function modeOf(handle: Handle, claim: PersistentVolumeClaim): string | { readonly error: string } | undefined {
  const name = classOf(claim);
  const found = name === '' ? undefined : handle.lister('storageclasses').get('', name);
  if (found === undefined) return undefined;
  return found.volumeBindingMode ?? { error: `VolumeBindingMode not set for StorageClass "${name}"` };
}
