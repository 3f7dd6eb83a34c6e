import type { PluginFactory } from '../../interface.ts';
import type { StateKey } from '../../cycle-state.ts';
import { newStatus } from '../../status.ts';
import { immutable, type ImmutableState } from '../shared/immutable-state.ts';
import type { NodeResourcesFitArgs, ScoringStrategy } from './args.ts';
import { isHelpedByNode, isHelpedByPod } from './fit-hints.ts';
import { insufficientResources, type IsIgnored } from './insufficient-resources.ts';
import { leastAllocated } from './least-allocated.ts';
import { mostAllocated } from './most-allocated.ts';
import { requestedToCapacityRatio } from './requested-to-capacity-ratio.ts';
import { amountsOn, podRequests, type Counting, type Scorer } from './resource-allocation.ts';

const KEY: StateKey<ImmutableState<readonly number[]>> = { name: 'PreScoreNodeResourcesFit' };

/** A node has to have left what a pod asks for; which is preferred of those that have, the strategy says. */
export const nodeResourcesFit: PluginFactory<NodeResourcesFitArgs> = (args) => {
  const isIgnored = ignoredBy(args);
  const counting: Counting = { resources: args.scoringStrategy.resources, assumesNonZero: true };
  const scorer = scorerOf(args.scoringStrategy);
  return {
    name: 'NodeResourcesFit',
    eventsToRegister: () => [
      { event: { resource: 'Pod', actions: ['Delete', 'UpdatePodScaleDown'] }, hint: isHelpedByPod },
      { event: { resource: 'Node', actions: ['Add', 'UpdateNodeAllocatable'] }, hint: isHelpedByNode },
    ],
    // What Filter needs is found with the pod; configurations may name the extension point.
    preFilter: () => ({}),
    filter(_state, { requests }, node) {
      const lacking = insufficientResources(requests, node, isIgnored);
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
  return (name) => names.has(name) || groups.has(name.slice(0, name.indexOf('/')));
}

/** The arguments are validated: another type is not among them. */
function scorerOf({ type, requestedToCapacityRatio: ratio }: ScoringStrategy): Scorer {
  if (type === 'MostAllocated') return mostAllocated;
  return type === 'RequestedToCapacityRatio' ? requestedToCapacityRatio(ratio?.shape ?? []) : leastAllocated;
}
