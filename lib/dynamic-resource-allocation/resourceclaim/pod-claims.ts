import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { has, items, text } from '#lib/machinery/unstructured.ts';

/** The scheduler puts it on claims that it allocates. */
export const FINALIZER = 'resource.kubernetes.io/delete-protection';

/** What a pod asks for under a name: a claim that there is, or one from a template. */
export interface PodClaim {
  readonly name: string;
  /** The claim's name, where it is known. Of one from a template it is in the pod's status. */
  readonly claim: string | undefined;
  readonly template: string | undefined;
  /** It was found that none is needed. */
  readonly isSkipped: boolean;
}

/** The claims of a pod, those that need none left out. */
export const podClaims = (pod: JsonObject): readonly PodClaim[] =>
  items(objectAt(pod, 'spec'), 'resourceClaims')
    .map((one) => podClaim(pod, one))
    .filter(({ isSkipped }) => !isSkipped);

function podClaim(pod: JsonObject, one: JsonObject): PodClaim {
  const name = text(one, 'name');
  if (!has(one, 'resourceClaimTemplateName'))
    return { name, claim: text(one, 'resourceClaimName'), template: undefined, isSkipped: false };
  const told = items(objectAt(pod, 'status'), 'resourceClaimStatuses').find((status) => text(status, 'name') === name);
  const claim = text(told, 'resourceClaimName') || undefined;
  const template = text(one, 'resourceClaimTemplateName');
  return { name, claim, template, isSkipped: told !== undefined && claim === undefined };
}

/** Who uses a claim. */
export const reservations = (claim: JsonObject): readonly JsonObject[] =>
  items(objectAt(claim, 'status'), 'reservedFor');

export const isReservedFor = (pod: JsonObject, claim: JsonObject): boolean =>
  reservations(claim).some((one) => one['uid'] === uidOf(pod));
