import type { NodeInfo } from '#lib/scheduler/framework/node-info.ts';
import { HOSTNAME } from '#lib/scheduler/framework/plugins/podtopologyspread/constraints.ts';
import type { PodInfo } from '#lib/scheduler/framework/pod-info.ts';
import { termsAgainstOwnClass } from './task-class.ts';

/** The number of additional pods that the node may have. */
export const podSlots = ({ allocatable, pods }: NodeInfo): number =>
  Math.max(0, allocatable.allowedPodNumber - pods.size);

/** Whether a node can run only one pod equal to this one, because of host ports or required anti-affinity. */
export const isAloneOnNode = (pod: PodInfo): boolean =>
  pod.hostPorts.length > 0 || termsAgainstOwnClass(pod).some(({ topologyKey }) => topologyKey === HOSTNAME);

/**
 * The number of pods equal to this one that fit on the node by their resources, computed from each resource separately. The node must pass
 * the pod's filters. Pods of other classes are not considered, so a placement is checked before it is bound.
 */
export function resourceSlots(pod: PodInfo, node: NodeInfo): number {
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
