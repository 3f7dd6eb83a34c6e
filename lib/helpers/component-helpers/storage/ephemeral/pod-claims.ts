import { typedObject } from '#lib/api/typed.ts';
import type { PersistentVolumeClaim, Pod, Volume } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { controllerOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';

/** A claim that a pod's volume uses. */
export interface PodClaim {
  readonly name: string;
  /** Whether the claim is created for the pod and must be owned by it. */
  readonly isEphemeral: boolean;
}

/** The claims of a decoded pod's volumes, in order. */
export function podClaims(object: JsonObject): PodClaim[] {
  const pod = typedObject(PODS, object);
  return volumesOf(pod).flatMap((volume) => claimOf(pod, volume) ?? []);
}

/** The names of claims that the pod references explicitly, without its ephemeral claims. */
export const namedClaims = (pod: Pod): string[] =>
  podClaims(pod).flatMap(({ name, isEphemeral }) => (isEphemeral ? [] : [name]));

/** Whether the pod is in the claim's namespace and uses a claim of that name, ephemeral ones included. */
export const uses = (pod: Pod, claim: PersistentVolumeClaim): boolean =>
  namespaceOf(claim) === namespaceOf(pod) && podClaims(pod).some(({ name }) => name === nameOf(claim));

/** Whether the pod is in the claim's namespace and references it explicitly in a volume. */
export const names = (pod: Pod, claim: PersistentVolumeClaim): boolean =>
  namespaceOf(claim) === namespaceOf(pod) && namedClaims(pod).includes(nameOf(claim));

/** The volumes of a pod. */
export const volumesOf = (pod: Pod): readonly Volume[] => pod.spec?.volumes ?? [];

/** The claim of a volume; undefined if the volume needs none. */
export function claimOf(pod: Pod, volume: Volume): PodClaim | undefined {
  const { persistentVolumeClaim, ephemeral } = volume;
  if (persistentVolumeClaim !== undefined) return { name: persistentVolumeClaim.claimName, isEphemeral: false };
  return ephemeral === undefined ? undefined : { name: ephemeralClaimName(pod, volume), isEphemeral: true };
}

/** Upstream's VolumeClaimName. */
export const ephemeralClaimName = (pod: Pod, { name }: Volume): string => `${nameOf(pod)}-${name}`;

/** The reason why a claim with the expected name does not belong to the pod. Undefined if it does. Upstream's VolumeIsForPod. */
export function notOwned(pod: Pod, claim: PersistentVolumeClaim): string | undefined {
  if (namespaceOf(claim) === namespaceOf(pod) && controllerOf(claim)?.uid === uidOf(pod)) return undefined;
  const place = (object: JsonObject): string => `${namespaceOf(object)}/${nameOf(object)}`;
  return `PVC ${place(claim)} was not created for pod ${place(pod)} (pod is not owner)`;
}
