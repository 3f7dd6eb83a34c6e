import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { controllerOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { has, items, text } from '#lib/machinery/unstructured.ts';

/** A claim that a volume of a pod means. */
export interface PodClaim {
  readonly name: string;
  /** It is made for the pod, and must be its own. */
  readonly isEphemeral: boolean;
}

/** The claims that a pod's volumes mean, in their order. */
export const podClaims = (pod: JsonObject): PodClaim[] =>
  volumesOf(pod).flatMap((volume) => claimOf(pod, volume) ?? []);

/** Those that the pod names itself: the others are its own in any case. */
export const namedClaims = (pod: JsonObject): string[] =>
  podClaims(pod).flatMap(({ name, isEphemeral }) => (isEphemeral ? [] : [name]));

/** Whether the pod is in the claim's namespace and means a claim of its name. */
export const uses = (pod: JsonObject, claim: JsonObject): boolean =>
  namespaceOf(claim) === namespaceOf(pod) && podClaims(pod).some(({ name }) => name === nameOf(claim));

/** The same where the pod itself names it. */
export const names = (pod: JsonObject, claim: JsonObject): boolean =>
  namespaceOf(claim) === namespaceOf(pod) && namedClaims(pod).includes(nameOf(claim));

export const volumesOf = (pod: JsonObject): JsonObject[] => items(objectAt(pod, 'spec'), 'volumes');

/** The claim of one volume; undefined where it needs none. */
export function claimOf(pod: JsonObject, volume: JsonObject): PodClaim | undefined {
  if (has(volume, 'persistentVolumeClaim'))
    return { name: text(objectAt(volume, 'persistentVolumeClaim'), 'claimName'), isEphemeral: false };
  return has(volume, 'ephemeral') ? { name: ephemeralClaimName(pod, volume), isEphemeral: true } : undefined;
}

/** Upstream's VolumeClaimName. */
export const ephemeralClaimName = (pod: JsonObject, volume: JsonObject): string =>
  `${nameOf(pod)}-${text(volume, 'name')}`;

/** Why a claim of the right name is not the pod's; undefined where it is. Upstream's VolumeIsForPod. */
export function notOwned(pod: JsonObject, claim: JsonObject): string | undefined {
  if (namespaceOf(claim) === namespaceOf(pod) && controllerOf(claim)?.uid === uidOf(pod)) return undefined;
  const place = (object: JsonObject): string => `${namespaceOf(object)}/${nameOf(object)}`;
  return `PVC ${place(claim)} was not created for pod ${place(pod)} (pod is not owner)`;
}
