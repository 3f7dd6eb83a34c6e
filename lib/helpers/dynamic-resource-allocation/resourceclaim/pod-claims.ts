import { typedObject } from '#lib/api/typed.ts';
import type { Pod, PodResourceClaim } from '#lib/api/types/core.v1.ts';
import type { ResourceClaim, ResourceClaimConsumerReference } from '#lib/api/types/resource.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';

/** The finalizer that the scheduler adds to claims that it allocates. */
export const FINALIZER = 'resource.kubernetes.io/delete-protection';

/** A claim that a pod references: an existing one, or one created from a template. */
export interface PodClaim {
  readonly name: string;
  /** The claim's name, if known. The pod's status has the name of a claim from a template. */
  readonly claim: string | undefined;
  readonly template: string | undefined;
  /** Whether the pod's status records that no claim is needed. */
  readonly isSkipped: boolean;
}

/** The claims of a decoded pod, except those that it no longer needs. */
export function podClaims(object: JsonObject): readonly PodClaim[] {
  const pod = typedObject(PODS, object);
  return (pod.spec.resourceClaims ?? []).map((one) => podClaim(pod, one)).filter(({ isSkipped }) => !isSkipped);
}

function podClaim({ status }: Pod, { name, resourceClaimName, resourceClaimTemplateName }: PodResourceClaim): PodClaim {
  if (resourceClaimTemplateName === undefined)
    return { name, claim: resourceClaimName ?? '', template: undefined, isSkipped: false };
  const told = status.resourceClaimStatuses?.find((one) => one.name === name);
  const claim = told?.resourceClaimName || undefined;
  return { name, claim, template: resourceClaimTemplateName, isSkipped: told !== undefined && claim === undefined };
}

/** The users of a claim. */
export const reservations = ({ status }: ResourceClaim): readonly ResourceClaimConsumerReference[] =>
  status.reservedFor ?? [];

/** Whether a pod is among the users of a claim. */
export const isReservedFor = (pod: Pod, claim: ResourceClaim): boolean =>
  reservations(claim).some(({ uid }) => uid === uidOf(pod));
