import { deviceClassFor, DEVICE_CLASS_PREFIX } from '#lib/dynamic-resource-allocation/deviceclass/extended-resource.ts';
import { newUid } from '#lib/machinery/random.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, controllerOf, nameOf } from '#lib/machinery/meta.ts';
import { at, items } from '#lib/machinery/unstructured.ts';
import { isExtendedResource } from '#lib/component-helpers/resource/resource-names.ts';
import type { Handle } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { PodInfo } from '../../pod-info.ts';
import type { ClaimTracker } from './claim-tracker.ts';
import { deviceRequests, type DeviceRequests } from './device-requests.ts';

const ANNOTATION = 'resource.kubernetes.io/extended-resource-claim';
/** No name that a claim could have: this one is not written yet. */
const UNWRITTEN = '<extended-resources>';

export const isUnwritten = (claim: JsonObject): boolean => nameOf(claim) === UNWRITTEN;

/** What a pod asks for as resources that may be devices, by name. */
export type ExtendedResources = ReadonlyMap<string, number>;

/** Undefined where none of it is of a class of devices. */
export function extendedResources(handle: Handle, { requests }: PodInfo): ExtendedResources | undefined {
  const wanted = [...requests.scalar].filter(
    ([name, amount]) => amount > 0 && (isExtendedResource(name) || name.startsWith(DEVICE_CLASS_PREFIX)),
  );
  return wanted.some(([name]) => classOf(handle, name) !== undefined) ? new Map(wanted) : undefined;
}

const classOf = (handle: Handle, resource: string): JsonObject | undefined =>
  deviceClassFor(handle.lister('deviceclasses'), resource);

/** The claim for them: one that an earlier attempt has left, else one that is not written yet. */
export function extendedResourceClaim(tracker: ClaimTracker, { pod, uid, name, namespace }: PodInfo): JsonObject {
  const left = tracker
    .list()
    .find((one) => annotationsOf(one)[ANNOTATION] === 'true' && controllerOf(one)?.uid === uid);
  const owner = { apiVersion: 'v1', kind: 'Pod', name: nameOf(pod), uid, controller: true };
  return (
    left ?? {
      metadata: {
        namespace,
        name: UNWRITTEN,
        uid: newUid(),
        generateName: `${name}-extended-resources-`,
        ownerReferences: [owner],
        annotations: { [ANNOTATION]: 'true' },
      },
      spec: {},
    }
  );
}

/** Whether an earlier attempt has left the claim: what it has may be of no use any more. */
export const isLeft = (claim: JsonObject): boolean => items(at(claim, 'spec', 'devices'), 'requests').length > 0;

/**
 * What the node would give as devices, since no plugin of its own offers it: as requests of the claim. Undefined where it has something
 * neither way.
 */
export function requestsOn(
  handle: Handle,
  pod: JsonObject,
  wanted: ExtendedResources,
  { allocatable }: NodeInfo,
): DeviceRequests | undefined {
  const classes = new Map<string, string>();
  for (const name of wanted.keys()) {
    const deviceClass = classOf(handle, name);
    const offered = allocatable.scalar.get(name);
    if (deviceClass !== undefined && (offered ?? 0) === 0) classes.set(name, nameOf(deviceClass));
    else if (offered === undefined) return undefined;
  }
  return deviceRequests(pod, classes);
}
