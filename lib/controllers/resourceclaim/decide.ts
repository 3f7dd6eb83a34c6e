import { FINALIZER, podClaims, reservations } from '#lib/dynamic-resource-allocation/resourceclaim/pod-claims.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
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
import { at, has, text } from '#lib/machinery/unstructured.ts';
import { isTerminal } from '../workload/pod.ts';

/** Which of a pod's claims a generated one is. */
const POD_CLAIM = 'resource.kubernetes.io/pod-claim-name';
/** Who may use one claim at once. */
const CONSUMERS = 256;
/** What a name may have before a hyphen and five random characters. */
const BASE = 57;

const nodeOf = (pod: JsonObject): string => text(objectAt(pod, 'spec'), 'nodeName');

/** Whether a pod that is there will not run any more. */
export const isDone = (pod: JsonObject): boolean => isTerminal(pod) || (isDeleting(pod) && nodeOf(pod) === '');

/** Names of all claims that a pod is known to use, that of its extended resources among them. */
export function claimNames(pod: JsonObject): readonly string[] {
  const extended = text(at(pod, 'status', 'extendedResourceClaimStatus'), 'resourceClaimName');
  return [...podClaims(pod).map(({ claim }) => claim ?? ''), extended].filter((name) => name !== '');
}

export const isOf = (pod: JsonObject, claim: JsonObject): boolean => controllerOf(claim)?.uid === uidOf(pod);

/** Whether the claim was made for this claim of the pod. */
export const isMadeFor = (pod: JsonObject, name: string, claim: JsonObject): boolean =>
  isOf(pod, claim) && annotationsOf(claim)[POD_CLAIM] === name;

/** A claim of the pod's own by a template; both names share what a generated one may have. */
export function claimFor(pod: JsonObject, name: string, template: JsonObject): JsonObject {
  const owner = { apiVersion: 'v1', kind: 'Pod', name: nameOf(pod), uid: uidOf(pod), controller: true };
  const given = objectAt(template, 'spec') ?? {};
  return {
    metadata: {
      generateName: baseOf(nameOf(pod), name),
      namespace: namespaceOf(pod),
      ownerReferences: [owner],
      labels: { ...labelsOf(given) },
      annotations: { ...annotationsOf(given), [POD_CLAIM]: name },
    },
    spec: objectAt(given, 'spec') ?? {},
  };
}

function baseOf(pod: string, claim: string): string {
  const whole = `${pod}-${claim}-`;
  if (whole.length <= BASE) return whole;
  const share = (part: string): string => part.slice(0, Math.floor((part.length * BASE) / whole.length));
  return `${share(pod)}-${share(claim)}`;
}

/** The claim's status with the pod among its users; undefined where it may not be, or is. */
export function reservedStatus(pod: JsonObject, claim: JsonObject): JsonObject | undefined {
  const reserved = reservations(claim);
  const status = objectAt(claim, 'status');
  if (nodeOf(pod) === '' || !has(status, 'allocation') || reserved.length >= CONSUMERS) return undefined;
  if (reserved.some((one) => one['uid'] === uidOf(pod))) return undefined;
  return { ...status, reservedFor: [...reserved, { resource: 'pods', name: nameOf(pod), uid: uidOf(pod) }] };
}

/** Whether a user of a claim is a pod: of others nobody here knows whether they are still there. */
export const isPod = (consumer: JsonObject): boolean =>
  text(consumer, 'apiGroup') === '' && text(consumer, 'resource') === 'pods';

/**
 * The status when only these users remain; undefined where it stays. A claim that nobody uses any more is free again, if it
 * was the scheduler who allocated it; one that is to end is free in any case.
 */
export function remainingStatus(claim: JsonObject, remaining: readonly JsonObject[]): JsonObject | undefined {
  const { allocation, reservedFor, ...rest } = objectAt(claim, 'status') ?? {};
  const before = reservations(claim).length;
  const isProtected = finalizersOf(claim).includes(FINALIZER);
  const isFreed =
    isProtected && allocation !== undefined && remaining.length === 0 && (before > 0 || isDeleting(claim));
  if (remaining.length === before && !isFreed) return undefined;
  return {
    ...rest,
    ...(allocation === undefined || isFreed ? {} : { allocation }),
    ...(reservedFor === undefined || remaining.length === 0 ? {} : { reservedFor: [...remaining] }),
  };
}

/** The claim without the scheduler's finalizer; undefined where it stays as it is. */
export function unprotected(claim: JsonObject): JsonObject | undefined {
  const finalizers = finalizersOf(claim);
  const isFree = !has(objectAt(claim, 'status'), 'allocation') && reservations(claim).length === 0;
  if (!isFree || !finalizers.includes(FINALIZER)) return undefined;
  const others = finalizers.filter((one) => one !== FINALIZER);
  return { ...claim, metadata: { ...objectAt(claim, 'metadata'), finalizers: others } };
}
