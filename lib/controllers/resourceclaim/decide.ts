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
import { isTerminal } from '../workload/pod.ts';

/** On a generated claim: its name in the pod's spec. */
const POD_CLAIM = 'resource.kubernetes.io/pod-claim-name';
/** Users of one claim at once. */
const CONSUMERS = 256;
/** Characters of a name before a hyphen and five random ones. */
const BASE = 57;

const nodeOf = ({ spec }: Pod): string => spec.nodeName ?? '';

/** Whether a pod that is there will not run any more. */
export const isDone = (pod: Pod): boolean => isTerminal(pod) || (isDeleting(pod) && nodeOf(pod) === '');

/** Names of all claims that a decoded pod is known to use, that of its extended resources among them. */
export function claimNames(pod: JsonObject): readonly string[] {
  const extended = typedObject(PODS, pod).status.extendedResourceClaimStatus?.resourceClaimName ?? '';
  return [...podClaims(pod).map(({ claim }) => claim ?? ''), extended].filter((name) => name !== '');
}

/** Whether the pod controls the claim. */
export const isOf = (pod: Pod, claim: ResourceClaim): boolean => controllerOf(claim)?.uid === uidOf(pod);

/** Whether the claim was made for this claim of the pod. */
export const isMadeFor = (pod: Pod, name: string, claim: ResourceClaim): boolean =>
  isOf(pod, claim) && annotationsOf(claim)[POD_CLAIM] === name;

/** A claim that is yet to be created. */
export type NewClaim = { metadata: ObjectMeta; spec: ResourceClaimSpec };

/** A claim of the pod's own by a template. Both names share the characters that a generated one may have. */
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

/** The claim's status with the pod among its users; undefined where it may not be, or is. */
export function reservedStatus(pod: Pod, claim: ResourceClaim): ResourceClaimStatus | undefined {
  const reserved = reservations(claim);
  const { status } = claim;
  if (nodeOf(pod) === '' || status.allocation === undefined || reserved.length >= CONSUMERS) return undefined;
  if (reserved.some(({ uid }) => uid === uidOf(pod))) return undefined;
  return { ...status, reservedFor: [...reserved, { resource: 'pods', name: nameOf(pod), uid: uidOf(pod) }] };
}

/** Whether a user of a claim is a pod: of others nobody here knows whether they are still there. */
export const isPod = ({ apiGroup = '', resource }: { readonly apiGroup?: Json; readonly resource?: Json }): boolean =>
  apiGroup === '' && resource === 'pods';

/**
 * The status when only these users remain; undefined where it stays. A claim that nobody uses any more is free again, if it
 * was the scheduler that allocated it; one that is to end is free in any case.
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

/** The claim without the scheduler's finalizer; undefined where it stays as it is. */
export function unprotected(claim: ResourceClaim): ResourceClaim | undefined {
  const finalizers = finalizersOf(claim);
  const isFree = claim.status.allocation === undefined && reservations(claim).length === 0;
  if (!isFree || !finalizers.includes(FINALIZER)) return undefined;
  const others = finalizers.filter((one) => one !== FINALIZER);
  return { ...claim, metadata: { ...claim.metadata, finalizers: others } };
}
