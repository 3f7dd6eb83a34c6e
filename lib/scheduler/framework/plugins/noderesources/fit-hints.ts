import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import type { DeviceClass } from '#lib/api/types/resource.v1.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { DEVICE_CLASS_PREFIX } from '#lib/helpers/dynamic-resource-allocation/deviceclass/extended-resource.ts';
import { nameOf, uidOf } from '#lib/machinery/meta.ts';
import type { ObjectChange } from '../../events.ts';
import { newNodeInfo } from '../../new-node-info.ts';
import type { NodeInfo } from '../../node-info.ts';
import { isPlaced } from '../../places.ts';
import { podInfoOf } from '../../pod-info-of.ts';
import type { Resource } from '../../resource.ts';
import { insufficientResources } from './insufficient-resources.ts';

/** Whether a deleted pod, or one with smaller requests, frees resources that this pod requests. */
export function isHelpedByPod(pod: Pod, { before, after }: ObjectChange<Pod>): boolean {
  if (after === undefined) return before !== undefined && isPlaced(before);
  if (uidOf(after) === uidOf(pod)) return true;
  if (nodeNameOf(after) === '' || before === undefined) return false;
  return exceedsInRequested(podInfoOf(pod).requests, podInfoOf(before).requests, podInfoOf(after).requests);
}

/** Whether a node provides a resource as devices that DynamicResources allocates. */
export type IsDevice = (node: NodeInfo, resource: string) => boolean;

/** Whether the pod requests a resource that a device class now provides. */
export function isHelpedByClass(pod: Pod, { before, after }: ObjectChange<DeviceClass>): boolean {
  if (after === undefined) return false;
  const resourceOf = ({ spec }: DeviceClass): string => spec.extendedResourceName ?? '';
  const { scalar } = podInfoOf(pod).requests;
  if (before === undefined)
    return scalar.has(`${DEVICE_CLASS_PREFIX}${nameOf(after)}`) || scalar.has(resourceOf(after));
  return resourceOf(before) !== resourceOf(after) && scalar.has(resourceOf(after));
}

/** Whether the pod would fit on the empty node, and did not before the change. */
export function isHelpedByNode(isDevice: IsDevice, pod: Pod, { before, after }: ObjectChange<Node>): boolean {
  if (after === undefined) return false;
  const { requests } = podInfoOf(pod);
  const node = newNodeInfo(after);
  if (insufficientResources(requests, node, (name) => isDevice(node, name)).length > 0) return false;
  if (before === undefined) return true;
  const { allocatable } = newNodeInfo(before);
  return (
    node.allocatable.allowedPodNumber > allocatable.allowedPodNumber ||
    exceedsInRequested(requests, node.allocatable, allocatable)
  );
}

/** Whether `one` exceeds `other` in any requested resource. */
function exceedsInRequested(requests: Resource, one: Resource, other: Resource): boolean {
  const isMore = (name: 'milliCpu' | 'memory' | 'ephemeralStorage'): boolean =>
    requests[name] > 0 && one[name] > other[name];
  return (
    isMore('milliCpu') ||
    isMore('memory') ||
    isMore('ephemeralStorage') ||
    [...requests.scalar].some(
      ([name, amount]) => amount !== 0 && (one.scalar.get(name) ?? 0) > (other.scalar.get(name) ?? 0),
    )
  );
}
