import type { Pod } from '#lib/api/types/core.v1.ts';
import type { AllocationResult, ResourceClaim } from '#lib/api/types/resource.v1.ts';
import { newNodeSelector } from '#lib/helpers/component-helpers/scheduling/corev1/node-affinity.ts';
import { AllocationError } from '#lib/helpers/dynamic-resource-allocation/structured/allocation-error.ts';
import { Allocator } from '#lib/helpers/dynamic-resource-allocation/structured/allocator.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import type { Handle } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { PodInfo } from '../../pod-info.ts';
import { newStatus, type Outcome, type Status } from '../../status.ts';
import { type DynamicResourcesArgs, milliseconds } from './args.ts';
import { isLate, readiness } from './binding-conditions.ts';
import type { ClaimTracker } from './claim-tracker.ts';
import type { DeviceRequests } from './device-requests.ts';
import { extendedResourceClaim, extendedResources, isLeft, requestsOn } from './extended-resources.ts';
import { podResourceClaims } from './pod-resource-claims.ts';
import { type ClaimInfo, Claims, isAllocated, type NodeAllocation } from './state.ts';

/** The status of a pod that preemption cannot help. */
export const refused = (reason: string): Status => newStatus('UnschedulableAndUnresolvable', reason);

/** Prepares the claims of a pod for Filter; undefined if it has none. */
export function claimsOf(handle: Handle, tracker: ClaimTracker, pod: PodInfo): Claims | Status | undefined {
  const claims = podResourceClaims(tracker, pod.pod);
  if (typeof claims === 'string') return refused(claims);
  const open = claims.filter((claim) => !isAllocated(claim));
  for (const claim of open) {
    const why = notYet(handle, tracker, claim);
    if (why !== undefined) return why;
  }
  const extended = extendedResources(handle, pod);
  const special = extended && { ...infoOf(extendedResourceClaim(tracker, pod)), extended };
  const infos = [...claims.map(infoOf), ...(special === undefined ? [] : [special])];
  if (infos.length === 0) return undefined;
  const needsDevices = open.length > 0 || special !== undefined;
  return new Claims(infos, needsDevices ? allocatorOf(handle, tracker) : undefined);
}

function infoOf(claim: ResourceClaim): ClaimInfo {
  const selector = claim.status.allocation?.nodeSelector;
  return { claim, availableOn: selector && newNodeSelector(selector) };
}

const allocatorOf = (handle: Handle, tracker: ClaimTracker): Allocator =>
  new Allocator({
    state: tracker.state(),
    slices: handle.lister('resourceslices').list(),
    deviceClass: (name) => handle.lister('deviceclasses').get('', name),
  });

/** The refusal for a claim that cannot get devices on any node. */
function notYet(handle: Handle, tracker: ClaimTracker, claim: ResourceClaim): Outcome {
  const place = `${namespaceOf(claim)}/${nameOf(claim)}`;
  if (tracker.isPending(claim)) return refused(`resource claim ${place} is in the process of being allocated`);
  for (const { name, exactly, firstAvailable: alternatives = [] } of claim.spec.devices.requests ?? []) {
    if (exactly === undefined && alternatives.length === 0)
      return refused(`resource claim ${place}, request ${name}: unknown request type`);
    const classes =
      exactly === undefined
        ? alternatives.map((one) => [one.deviceClassName, `${name}/${one.name}`] as const)
        : [[exactly.deviceClassName, name] as const];
    for (const [deviceClass, request] of classes) {
      const why = noClass(handle, deviceClass, request);
      if (why !== undefined) return why;
    }
  }
  return undefined;
}

function noClass(handle: Handle, deviceClass: string, name: string): Outcome {
  if (deviceClass === '') return newStatus('Error', `request ${name}: unsupported request type`);
  if (handle.lister('deviceclasses').get('', deviceClass) !== undefined) return undefined;
  return refused(`request ${name}: device class ${deviceClass} does not exist`);
}

/** The arguments of Filter. */
interface FilterArguments {
  readonly args: DynamicResourcesArgs;
  readonly pod: Pod;
  readonly claims: Claims;
  readonly node: NodeInfo;
}

/** Whether the node can use the claims' devices and has free devices for the other claims. Records the devices found for the node. */
export function* filter(handle: Handle, asked: FilterArguments): Steps<Outcome> {
  const { args, claims, node } = asked;
  const requests = extendedOn(handle, asked);
  if (requests !== undefined && 'code' in requests) return requests;
  if (requests?.requests.length === 0 && claims.all.length === 1) return undefined;
  const unavailable = claims.all.filter((info) => isUnavailable(handle, args, info, node));
  const found = claims.allocator && (yield* allocate(handle, claims.allocator, asked, requests));
  if (found !== undefined && 'code' in found) return found;
  for (const info of unavailable) claims.unavailable.add(info);
  if (unavailable.length > 0) return refused('resourceclaim not available on the node');
  if (found !== undefined) claims.byNode.set(node.name, found);
  return undefined;
}

/** The requests for extended resources that the node provides as devices; undefined if the pod has no such resources. */
function extendedOn(handle: Handle, { pod, claims, node }: FilterArguments): DeviceRequests | Status | undefined {
  const special = claims.all.find(({ extended }) => extended !== undefined);
  if (special?.extended === undefined) return undefined;
  if (isLeft(special.claim)) return refused('cannot schedule extended resource claim');
  return requestsOn(handle, pod, special.extended, node) ?? refused('cannot fit resource');
}

/** Whether the node cannot use the claim's devices, or their preparation failed or timed out. */
function isUnavailable(handle: Handle, args: DynamicResourcesArgs, info: ClaimInfo, node: NodeInfo): boolean {
  if (info.availableOn?.matches(node) === false) return true;
  if (!isAllocated(info.claim)) return false;
  const ready = readiness(info.claim);
  if (ready !== 'waits') return ready !== 'ready';
  return isLate(info.claim, handle.clock.now(), milliseconds(args.bindingTimeout));
}

/** Ends a search that takes too long. */
class TimedOut extends Error {}

function* allocate(
  { clock }: Handle,
  allocator: Allocator,
  { args: { filterTimeout }, claims, node }: FilterArguments,
  extended: DeviceRequests | undefined,
): Steps<NodeAllocation | Status> {
  const end = filterTimeout === 0n ? Infinity : clock.monotonic() + milliseconds(filterTimeout);
  const onStep = (): void => {
    if (clock.monotonic() >= end) throw new TimedOut();
  };
  const needsNone = (info: ClaimInfo): boolean => info.extended !== undefined && extended?.requests.length === 0;
  const open = claims.open.filter((info) => !needsNone(info));
  try {
    const found = yield* allocator.allocate(
      node,
      open.map((info) => desiredClaim(info, extended)),
      onStep,
    );
    if (found === undefined) return refused('cannot allocate all claims');
    return { found: new Map(open.map((info, i) => [info, found[i] ?? NOTHING])), extended };
  } catch (error) {
    if (error instanceof TimedOut) return newStatus('Error', `node ${node.name}: timed out trying to allocate devices`);
    if (!(error instanceof AllocationError)) throw error;
    return error.onNode ? refused(error.message) : newStatus('Error', error.message);
  }
}

const NOTHING: AllocationResult = { devices: {} };

const desiredClaim = ({ claim, extended }: ClaimInfo, made: DeviceRequests | undefined): ResourceClaim =>
  extended === undefined || made === undefined
    ? claim
    : { ...claim, spec: { devices: { requests: [...made.requests] } } };
