import type { Pod } from '#lib/api/types/core.v1.ts';
import type { DeviceClass, ResourceClaim } from '#lib/api/types/resource.v1.ts';
import { isExtendedResource } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import {
  DEVICE_CLASS_PREFIX,
  deviceClassFor,
} from '#lib/helpers/dynamic-resource-allocation/deviceclass/extended-resource.ts';
import { annotationsOf, controllerOf, nameOf } from '#lib/machinery/meta.ts';
import { newUid } from '#lib/machinery/random.ts';
import type { Handle } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { PodInfo } from '../../pod-info.ts';
import type { ClaimTracker } from './claim-tracker.ts';
import { type DeviceRequests, deviceRequests } from './device-requests.ts';

const ANNOTATION = 'resource.kubernetes.io/extended-resource-claim';
/** The placeholder name of a claim that is not written yet. No real claim can have it. */
const UNWRITTEN = '<extended-resources>';

/** Whether the claim exists only in memory. PreBind creates it. */
export const isUnwritten = (claim: ResourceClaim): boolean => nameOf(claim) === UNWRITTEN;

/** The amounts of a pod's extended resources that devices may provide, by name. */
export type ExtendedResources = ReadonlyMap<string, number>;

/** The extended resources of a pod; undefined if no device class provides any of them. */
export function extendedResources(handle: Handle, { requests }: PodInfo): ExtendedResources | undefined {
  const extended = [...requests.scalar].filter(
    ([name, amount]) => amount > 0 && (isExtendedResource(name) || name.startsWith(DEVICE_CLASS_PREFIX)),
  );
  return extended.some(([name]) => classOf(handle, name) !== undefined) ? new Map(extended) : undefined;
}

const classOf = (handle: Handle, resource: string): DeviceClass | undefined =>
  deviceClassFor(handle.lister('deviceclasses'), resource);

/** The claim for extended resources: the one created by an earlier attempt, or one that is not written yet. */
export function extendedResourceClaim(tracker: ClaimTracker, { pod, uid, name, namespace }: PodInfo): ResourceClaim {
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
      spec: { devices: { requests: null } },
      status: {},
    }
  );
}

/** Whether an earlier attempt created the claim. Its devices may no longer be usable. */
export const isLeft = ({ spec }: ResourceClaim): boolean => (spec.devices.requests ?? []).length > 0;

/**
 * The claim requests for resources that the node provides only as devices. Undefined if the node provides one of the resources neither
 * directly nor as devices.
 */
export function requestsOn(
  handle: Handle,
  pod: Pod,
  resources: ExtendedResources,
  { allocatable }: NodeInfo,
): DeviceRequests | undefined {
  const classes = new Map<string, string>();
  for (const name of resources.keys()) {
    const deviceClass = classOf(handle, name);
    const offered = allocatable.scalar.get(name);
    if (deviceClass !== undefined && (offered ?? 0) === 0) classes.set(name, nameOf(deviceClass));
    else if (offered === undefined) return undefined;
  }
  return deviceRequests(pod, classes);
}
