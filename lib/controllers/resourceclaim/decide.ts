import { typedObject } from '#lib/api/typed.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import type {
  ResourceClaim,
  ResourceClaimConsumerReference,
  ResourceClaimSpec,
  ResourceClaimStatus,
  ResourceClaimTemplate,
} from '#lib/api/types/resource.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { isPodTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import {
  FINALIZER,
  podClaims,
  reservations,
} from '#lib/helpers/dynamic-resource-allocation/resourceclaim/pod-claims.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import {
  annotationsOf,
  controllerOf,
  finalizersOf,
  isDeleting,
  labelsOf,
  nameOf,
  namespaceOf,
  uidOf,
} from '#lib/machinery/meta.ts';

/** The annotation of a generated claim with its name in the pod's spec. */
const POD_CLAIM = 'resource.kubernetes.io/pod-claim-name';
/** The maximum number of concurrent users of a claim. */
const CONSUMERS = 256;
/** The maximum length of a name before a hyphen and five random characters. */
const BASE = 57;

/** Whether an existing pod will not run any more. */
export const isDone = (pod: Pod): boolean => isPodTerminal(pod) || (isDeleting(pod) && nodeNameOf(pod) === '');

/** The names of all claims that a decoded pod is known to use, including the claim for its extended resources. */
export function claimNames(pod: JsonObject): readonly string[] {
  const extended = typedObject(PODS, pod).status.extendedResourceClaimStatus?.resourceClaimName ?? '';
  return [...podClaims(pod).map(({ claim }) => claim ?? ''), extended].filter((name) => name !== '');
}

/** Whether the pod controls the claim. */
export const isOf = (pod: Pod, claim: ResourceClaim): boolean => controllerOf(claim)?.uid === uidOf(pod);

/** Whether the claim was generated for this claim entry of the pod. */
export const isMadeFor = (pod: Pod, name: string, claim: ResourceClaim): boolean =>
  isOf(pod, claim) && annotationsOf(claim)[POD_CLAIM] === name;

/** A claim to create. */
export type NewClaim = { metadata: ObjectMeta; spec: ResourceClaimSpec };

/** A claim generated for the pod from a template. The names of pod and entry share the maximum length of a generated name. */
export function claimFor(pod: Pod, name: string, { spec: given }: ResourceClaimTemplate): NewClaim {
  const owner = { apiVersion: 'v1', kind: 'Pod', name: nameOf(pod), uid: uidOf(pod), controller: true };
  return {
    metadata: {
      generateName: baseOf(nameOf(pod), name),
      namespace: namespaceOf(pod),
      ownerReferences: [owner],
      labels: { ...labelsOf(given) },
      annotations: { ...annotationsOf(given), [POD_CLAIM]: name },
    },
    spec: given.spec,
  };
}

function baseOf(pod: string, claim: string): string {
  const whole = `${pod}-${claim}-`;
  if (whole.length <= BASE) return whole;
  const share = (part: string): string => part.slice(0, Math.floor((part.length * BASE) / whole.length));
  return `${share(pod)}-${share(claim)}`;
}

/** The claim's status with the pod reserved. Undefined if the pod may not be reserved or already is. */
export function reservedStatus(pod: Pod, claim: ResourceClaim): ResourceClaimStatus | undefined {
  const reserved = reservations(claim);
  const { status } = claim;
  if (nodeNameOf(pod) === '' || status.allocation === undefined || reserved.length >= CONSUMERS) return undefined;
  if (reserved.some(({ uid }) => uid === uidOf(pod))) return undefined;
  return { ...status, reservedFor: [...reserved, { resource: 'pods', name: nameOf(pod), uid: uidOf(pod) }] };
}

/** Whether a user of a claim is a pod. This controller cannot tell whether other users still exist. */
export const isPod = ({ apiGroup = '', resource }: { readonly apiGroup?: Json; readonly resource?: Json }): boolean =>
  apiGroup === '' && resource === 'pods';

/**
 * The status with only these users left. Undefined if it does not change. A claim without users is deallocated if the scheduler
 * allocated it. A claim that is being deleted is deallocated even if it never had a user.
 */
export function remainingStatus(
  claim: ResourceClaim,
  remaining: readonly ResourceClaimConsumerReference[],
): ResourceClaimStatus | undefined {
  const { allocation, reservedFor, ...rest } = claim.status;
  const before = reservations(claim).length;
  const isProtected = finalizersOf(claim).includes(FINALIZER);
  const isFreed =
    isProtected && allocation !== undefined && remaining.length === 0 && (before > 0 || isDeleting(claim));
  if (remaining.length === before && !isFreed) return undefined;
  return {
    ...rest,
    ...defined({
      allocation: isFreed ? undefined : allocation,
      reservedFor: reservedFor === undefined || remaining.length === 0 ? undefined : [...remaining],
    }),
  };
}

/** The claim without the scheduler's finalizer. Undefined if the claim does not change. */
export function unprotected(claim: ResourceClaim): ResourceClaim | undefined {
  const finalizers = finalizersOf(claim);
  const isFree = claim.status.allocation === undefined && reservations(claim).length === 0;
  if (!isFree || !finalizers.includes(FINALIZER)) return undefined;
  const others = finalizers.filter((one) => one !== FINALIZER);
  return { ...claim, metadata: { ...claim.metadata, finalizers: others } };
}
