import { newNodeSelector } from '#lib/component-helpers/scheduling/corev1/node-affinity.ts';
import { AllocationError } from '#lib/dynamic-resource-allocation/structured/allocation-error.ts';
import { Allocator } from '#lib/dynamic-resource-allocation/structured/allocator.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import type { Handle } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import { newStatus, type Outcome, type Status } from '../../status.ts';
import { milliseconds, type DynamicResourcesArgs } from './args.ts';
import { isLate, readiness } from './binding-conditions.ts';
import type { ClaimTracker } from './claim-tracker.ts';
import { podResourceClaims } from './pod-resource-claims.ts';
import { Claims, isAllocated, type ClaimInfo } from './state.ts';

export const refused = (reason: string): Status => newStatus('UnschedulableAndUnresolvable', reason);

/** The claims of a pod, ready to be looked at for each node; undefined where it has none. */
export function claimsOf(handle: Handle, tracker: ClaimTracker, pod: JsonObject): Claims | Status | undefined {
  const claims = podResourceClaims(tracker, pod);
  if (typeof claims === 'string') return refused(claims);
  if (claims.length === 0) return undefined;
  const open = claims.filter((claim) => !isAllocated(claim));
  for (const claim of open) {
    const why = notYet(handle, tracker, claim);
    if (why !== undefined) return why;
  }
  return new Claims(claims.map(infoOf), open.length === 0 ? undefined : allocatorOf(handle, tracker));
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

/** Whether the node has what the claims have, or need: that is noted for it. */
export function filter(handle: Handle, args: DynamicResourcesArgs, claims: Claims, node: NodeInfo): Outcome {
  const unavailable = claims.all.filter((info) => isUnavailable(handle, args, info, node));
  const found = claims.allocator && allocate(handle, args, claims.allocator, { claims, node });
  if (found !== undefined && 'code' in found) return found;
  for (const info of unavailable) claims.unavailable.add(info);
  if (unavailable.length > 0) return refused('resourceclaim not available on the node');
  if (found !== undefined) claims.byNode.set(node.name, found);
  return undefined;
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

function allocate(
  { clock }: Handle,
  { filterTimeout }: DynamicResourcesArgs,
  allocator: Allocator,
  { claims, node }: { readonly claims: Claims; readonly node: NodeInfo },
): readonly JsonObject[] | Status {
  const end = filterTimeout === 0n ? Infinity : clock.monotonic() + milliseconds(filterTimeout);
  const onStep = (): void => {
    if (clock.monotonic() >= end) throw new TimedOut();
  };
  try {
    const wanting = claims.open.map(({ claim }) => claim);
    return allocator.allocate(node, wanting, onStep) ?? refused('cannot allocate all claims');
  } catch (error) {
    if (error instanceof TimedOut) return newStatus('Error', `node ${node.name}: timed out trying to allocate devices`);
    if (!(error instanceof AllocationError)) throw error;
    return error.onNode ? refused(error.message) : newStatus('Error', error.message);
  }
}
