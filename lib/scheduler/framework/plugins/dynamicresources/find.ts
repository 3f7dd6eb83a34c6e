import { newNodeSelector } from '#lib/component-helpers/scheduling/corev1/node-affinity.ts';
import { AllocationError } from '#lib/dynamic-resource-allocation/structured/allocation-error.ts';
import { Allocator } from '#lib/dynamic-resource-allocation/structured/allocator.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import type { Handle } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { PodInfo } from '../../pod-info.ts';
import { newStatus, type Outcome, type Status } from '../../status.ts';
import { milliseconds, type DynamicResourcesArgs } from './args.ts';
import { isLate, readiness } from './binding-conditions.ts';
import type { ClaimTracker } from './claim-tracker.ts';
import { podResourceClaims } from './pod-resource-claims.ts';
import type { DeviceRequests } from './device-requests.ts';
import { extendedResourceClaim, extendedResources, isLeft, requestsOn } from './extended-resources.ts';
import { Claims, isAllocated, type ClaimInfo, type NodeAllocation } from './state.ts';

export const refused = (reason: string): Status => newStatus('UnschedulableAndUnresolvable', reason);

/** The claims of a pod, ready to be looked at for each node; undefined where it has none. */
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

function infoOf(claim: JsonObject): ClaimInfo {
  const selector = at(claim, 'status', 'allocation', 'nodeSelector');
  return { claim, availableOn: selector && newNodeSelector(selector) };
}

const allocatorOf = (handle: Handle, tracker: ClaimTracker): Allocator =>
  new Allocator({
    state: tracker.state(),
    slices: handle.lister('resourceslices').list(),
    deviceClass: (name) => handle.lister('deviceclasses').get('', name),
  });

/** Why a claim cannot get devices on any node. */
function notYet(handle: Handle, tracker: ClaimTracker, claim: JsonObject): Outcome {
  const place = `${namespaceOf(claim)}/${nameOf(claim)}`;
  if (tracker.isPending(claim)) return refused(`resource claim ${place} is in the process of being allocated`);
  for (const request of items(at(claim, 'spec', 'devices'), 'requests')) {
    const name = text(request, 'name');
    const alternatives = items(request, 'firstAvailable');
    const exactly = objectAt(request, 'exactly');
    if (exactly === undefined && alternatives.length === 0)
      return refused(`resource claim ${place}, request ${name}: unknown request type`);
    const wanted = exactly === undefined ? alternatives : [exactly];
    for (const one of wanted) {
      const why = noClass(handle, one, exactly === undefined ? `${name}/${text(one, 'name')}` : name);
      if (why !== undefined) return why;
    }
  }
  return undefined;
}

function noClass(handle: Handle, request: JsonObject, name: string): Outcome {
  const deviceClass = text(request, 'deviceClassName');
  if (deviceClass === '') return newStatus('Error', `request ${name}: unsupported request type`);
  if (handle.lister('deviceclasses').get('', deviceClass) !== undefined) return undefined;
  return refused(`request ${name}: device class ${deviceClass} does not exist`);
}

/** What filters look at. */
interface Asked {
  readonly args: DynamicResourcesArgs;
  readonly pod: JsonObject;
  readonly claims: Claims;
  readonly node: NodeInfo;
}

/** Whether the node has what the claims have, or need: that is noted for it. */
export function* filter(handle: Handle, asked: Asked): Steps<Outcome> {
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

/** What containers ask for as resources and the node has as devices; undefined where they ask for none. */
function extendedOn(handle: Handle, { pod, claims, node }: Asked): DeviceRequests | Status | undefined {
  const special = claims.all.find(({ extended }) => extended !== undefined);
  if (special?.extended === undefined) return undefined;
  if (isLeft(special.claim)) return refused('cannot schedule extended resource claim');
  return requestsOn(handle, pod, special.extended, node) ?? refused('cannot fit resource');
}

/** Devices that were to be prepared and are not are none. */
function isUnavailable(handle: Handle, args: DynamicResourcesArgs, info: ClaimInfo, node: NodeInfo): boolean {
  if (info.availableOn?.matches(node) === false) return true;
  if (!isAllocated(info.claim)) return false;
  const ready = readiness(info.claim);
  if (ready !== 'waits') return ready !== 'ready';
  return isLate(info.claim, handle.clock.now(), milliseconds(args.bindingTimeout));
}

/** Thrown to end a search. */
class TimedOut extends Error {}

function* allocate(
  { clock }: Handle,
  allocator: Allocator,
  { args: { filterTimeout }, claims, node }: Asked,
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
      open.map((info) => wanted(info, extended)),
      onStep,
    );
    if (found === undefined) return refused('cannot allocate all claims');
    return { found: new Map(open.map((info, i) => [info, found[i] ?? {}])), extended };
  } catch (error) {
    if (error instanceof TimedOut) return newStatus('Error', `node ${node.name}: timed out trying to allocate devices`);
    if (!(error instanceof AllocationError)) throw error;
    return error.onNode ? refused(error.message) : newStatus('Error', error.message);
  }
}

const wanted = ({ claim, extended }: ClaimInfo, made: DeviceRequests | undefined): JsonObject =>
  extended === undefined || made === undefined
    ? claim
    : { ...claim, spec: { devices: { requests: [...made.requests] } } };
