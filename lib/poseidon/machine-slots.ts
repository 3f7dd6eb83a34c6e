import type { NodeInfo } from '#lib/scheduler/framework/node-info.ts';
import type { PodInfo } from '#lib/scheduler/framework/pod-info.ts';
import { termsAgainstOwnClass } from './task-class.ts';
import { HOSTNAME_LABEL } from './topology.ts';

/** The number of additional pods that the node may have. */
export const podSlots = ({ allocatable, pods }: NodeInfo): number =>
  Math.max(0, allocatable.allowedPodNumber - pods.size);

/**
 * The number of pods equal to this one that fit on the node, computed from each resource separately. The node must pass the pod's filters.
 * Pods of other classes are not considered, so a placement is checked before it is bound.
 */
export function classSlots(pod: PodInfo, node: NodeInfo): number {
  if (pod.hostPorts.length > 0) return 1;
  if (termsAgainstOwnClass(pod).some(({ topologyKey }) => topologyKey === HOSTNAME_LABEL)) return 1;
  const { requests } = pod;
  const { allocatable, requested } = node;
  let slots = podSlots(node);
  const bound = (request: number, free: number): void => {
    if (request > 0) slots = Math.min(slots, Math.floor(free / request));
  };
  bound(requests.milliCpu, allocatable.milliCpu - requested.milliCpu);
  bound(requests.memory, allocatable.memory - requested.memory);
  bound(requests.ephemeralStorage, allocatable.ephemeralStorage - requested.ephemeralStorage);
  for (const [name, request] of requests.scalar)
    bound(request, (allocatable.scalar.get(name) ?? 0) - (requested.scalar.get(name) ?? 0));
  return Math.max(1, slots); // the node passed the filters, so another plugin may provide the resource
}
