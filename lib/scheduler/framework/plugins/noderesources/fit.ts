import { isExtendedResource } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { deviceClassFor } from '#lib/helpers/dynamic-resource-allocation/deviceclass/extended-resource.ts';
import type { StateKey } from '../../cycle-state.ts';
import { clusterEvent } from '../../events.ts';
import type { Handle, PluginFactory } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import { newStatus } from '../../status.ts';
import { type ImmutableState, immutable } from '../shared/immutable-state.ts';
import type { NodeResourcesFitArgs, ScoringStrategy } from './args.ts';
import { type IsDevice, isHelpedByClass, isHelpedByNode, isHelpedByPod } from './fit-hints.ts';
import { type IsIgnored, insufficientResources } from './insufficient-resources.ts';
import { leastAllocated } from './least-allocated.ts';
import { mostAllocated } from './most-allocated.ts';
import { requestedToCapacityRatio } from './requested-to-capacity-ratio.ts';
import { amountsOn, type Counting, podRequests, requestsSignature, type Scorer } from './resource-allocation.ts';

const KEY: StateKey<ImmutableState<readonly number[]>> = { name: 'PreScoreNodeResourcesFit' };

/** Schedules a pod to nodes with enough free resources and scores them by the configured strategy. */
export const nodeResourcesFit: PluginFactory<NodeResourcesFitArgs> = (args, handle) => {
  const isIgnored = ignoredBy(args);
  const isDevice: IsDevice = (node, name) => isGivenAsDevice(handle, node, name);
  const counting: Counting = { resources: args.scoringStrategy.resources, assumesNonZero: true };
  const scorer = scorerOf(args.scoringStrategy);
  return {
    name: 'NodeResourcesFit',
    eventsToRegister: () => [
      clusterEvent('Pod', ['Delete', 'UpdatePodScaleDown'], isHelpedByPod),
      clusterEvent('Node', ['Add', 'UpdateNodeAllocatable'], (pod, change) => isHelpedByNode(isDevice, pod, change)),
      clusterEvent('DeviceClass', ['Add', 'Update'], isHelpedByClass),
    ],
    // Filter needs no state besides PodInfo. The extension point exists because configurations may name it.
    preFilter: () => ({}),
    // Whether an extended resource is a device depends on device classes.
    sign: (pod) => (pod.requests.scalar.size === 0 ? requestsSignature(pod) : undefined),
    filter(_state, { requests }, node) {
      const lacking = insufficientResources(requests, node, (name) => isIgnored(name) || isDevice(node, name));
      if (lacking.length === 0) return undefined;
      const code = lacking.some((one) => one.unresolvable) ? 'UnschedulableAndUnresolvable' : 'Unschedulable';
      return newStatus(code, ...lacking.map((one) => one.reason));
    },
    preScore: (state, pod) => void state.write(KEY, immutable(podRequests(pod, counting))),
    score: (state, pod, node) =>
      scorer(amountsOn(node, state.read(KEY)?.value ?? podRequests(pod, counting), counting)),
  };
};

function ignoredBy({ ignoredResources, ignoredResourceGroups }: NodeResourcesFitArgs): IsIgnored {
  const [names, groups] = [new Set(ignoredResources), new Set(ignoredResourceGroups)];
  return (name) => isExtendedResource(name) && (names.has(name) || groups.has(name.slice(0, name.indexOf('/'))));
}

/** Whether DynamicResources provides the resource instead: a device class has it, and the node does not offer it. */
const isGivenAsDevice = (handle: Handle, { allocatable }: NodeInfo, name: string): boolean =>
  (allocatable.scalar.get(name) ?? 0) === 0 && deviceClassFor(handle.lister('deviceclasses'), name) !== undefined;

/** The scorer of a strategy. The arguments are validated, so no other type occurs. */
function scorerOf({ type, requestedToCapacityRatio: ratio }: ScoringStrategy): Scorer {
  if (type === 'MostAllocated') return mostAllocated;
  return type === 'RequestedToCapacityRatio' ? requestedToCapacityRatio(ratio?.shape ?? []) : leastAllocated;
}
