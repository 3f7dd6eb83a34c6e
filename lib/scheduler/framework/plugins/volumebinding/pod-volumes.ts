import { podClaims } from '#lib/component-helpers/storage/ephemeral/pod-claims.ts';
import { BIND_COMPLETED, isAnnotated } from '#lib/component-helpers/storage/volume/annotations.ts';
import { classOf, specOf } from '#lib/component-helpers/storage/volume/match.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import type { Handle } from '../../interface.ts';
import type { PodInfo } from '../../pod-info.ts';
import { AssumeCache } from './assume-cache.ts';

/** What the plugin knows of volumes and claims, with what it has decided of them. */
export interface Caches {
  readonly claims: AssumeCache;
  readonly volumes: AssumeCache;
}

export const newCaches = (handle: Handle): Caches => ({
  claims: new AssumeCache(() => handle.lister('persistentvolumeclaims')),
  volumes: new AssumeCache(() => handle.lister('persistentvolumes')),
});

/** A volume that is to be the claim's. */
export interface Binding {
  readonly claim: JsonObject;
  readonly volume: JsonObject;
}

/** What becomes of a pod's claims on one node: each has a volume, or one is to be made for it. */
export interface PodVolumes {
  readonly bindings: readonly Binding[];
  readonly provisions: readonly JsonObject[];
}

/** A pod's claims, by what is to be done. */
export interface PodVolumeClaims {
  readonly bound: readonly JsonObject[];
  /** They are bound once a node is chosen. */
  readonly delayed: readonly JsonObject[];
  /** They should have been bound. */
  readonly immediate: readonly JsonObject[];
  /** Volumes that delayed ones may have, by class. */
  readonly volumes: ReadonlyMap<string, readonly JsonObject[]>;
}

/** Bound by both sides. */
export const isBound = (claim: JsonObject): boolean =>
  text(specOf(claim), 'volumeName') !== '' && isAnnotated(claim, BIND_COMPLETED);

/** Whether each of the pod's claims is there and bound. */
export const areBound = (caches: Caches, pod: PodInfo): boolean => {
  const claims = claimsOf(caches, pod);
  return claims.length === podClaims(pod.pod).length && claims.every(isBound);
};

/** The pod's claims as they are; those that are gone in between are left out. */
const claimsOf = ({ claims }: Caches, { pod, namespace }: PodInfo): JsonObject[] =>
  podClaims(pod)
    .map(({ name }) => claims.get(namespace, name))
    .filter((claim) => claim !== undefined);

/** Upstream's GetPodVolumeClaims. A text says what is wrong with a class. */
export function podVolumeClaims(handle: Handle, caches: Caches, pod: PodInfo): PodVolumeClaims | string {
  const claims = claimsOf(caches, pod);
  const open = claims.filter((claim) => !isBound(claim));
  const modeless = open.map((claim) => modeOf(handle, claim)).find((mode) => typeof mode === 'object');
  if (modeless !== undefined) return modeless.error;
  const isDelayed = (claim: JsonObject): boolean =>
    modeOf(handle, claim) === 'WaitForFirstConsumer' && text(specOf(claim), 'volumeName') === '';
  const delayed = open.filter(isDelayed);
  return {
    bound: claims.filter(isBound),
    delayed,
    immediate: open.filter((claim) => !isDelayed(claim)),
    volumes: delayed.length === 0 ? new Map() : Map.groupBy(caches.volumes.list(), classOf),
  };
}

/** When a class binds; undefined where the claim has none that is known. */
function modeOf(handle: Handle, claim: JsonObject): string | { readonly error: string } | undefined {
  const name = classOf(claim);
  const found = name === '' ? undefined : handle.lister('storageclasses').get('', name);
  if (found === undefined) return undefined;
  return text(found, 'volumeBindingMode') || { error: `VolumeBindingMode not set for StorageClass "${name}"` };
}
