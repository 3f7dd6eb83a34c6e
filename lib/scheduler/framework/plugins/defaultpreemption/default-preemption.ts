import type { Pod } from '#lib/api/types/core.v1.ts';
import { findCondition } from '#lib/machinery/conditions.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import { clusterEvent } from '../../events.ts';
import type { Handle, NodeToStatus, PluginFactory } from '../../interface.ts';
import { nominatedNodeNameOf } from '../../places.ts';
import type { PodInfo } from '../../pod-info.ts';
import { podInfoOf } from '../../pod-info-of.ts';
import type { Search } from '../../preemption/dry-run.ts';
import { evaluate } from '../../preemption/evaluator.ts';
import { Executor } from '../../preemption/executor.ts';
import { messageOf, newStatus } from '../../status.ts';
import type { DefaultPreemptionArgs } from './args.ts';

const NAME = 'DefaultPreemption';
const WAITS = newStatus('UnschedulableAndUnresolvable', 'waiting for the preemption for this pod to be finished');

/** Evicts pods of lower priority from a node so that the pod fits: upstream's DefaultPreemption. */
export const defaultPreemption: PluginFactory<DefaultPreemptionArgs> = (args, handle) => {
  const executor = new Executor(handle);
  const searchOf = (nodes: number): Search => ({
    offset: Math.floor(handle.random() * nodes),
    candidates: numberOfCandidates(args, nodes),
  });
  return {
    name: NAME,
    // The other plugins that refused the pod register the changes that help.
    eventsToRegister: () => [clusterEvent('Pod', ['Delete'], () => false)],
    preEnqueue: (pod) => (executor.isRunning(pod) ? WAITS : undefined),
    async postFilter(state, given, filtered) {
      const known = handle.lister('pods').get(given.namespace, given.name);
      if (known === undefined) return { status: newStatus('Error', `preemption: pod "${given.name}" not found`) };
      const pod = podInfoOf(known);
      const ineligible = reasonNotToPreempt(pod, handle, filtered);
      if (ineligible !== undefined) return { status: newStatus('Unschedulable', `preemption: ${ineligible}`) };
      const found = await evaluate(handle, { state, pod, filtered }, searchOf);
      if (found.nodeName === undefined) {
        return { ...found, status: newStatus(found.status.code, `preemption: ${messageOf(found.status)}`) };
      }
      executor.start({ preemptor: pod, nodeName: found.nodeName, victims: found.victims.pods, plugin: NAME });
      return { result: { nominatedNodeName: found.nodeName } };
    },
  };
};

/** The number of candidates after which the search ends. */
export function numberOfCandidates(args: DefaultPreemptionArgs, nodes: number): number {
  const share = Math.floor((nodes * args.minCandidateNodesPercentage) / 100);
  return Math.min(nodes, Math.max(share, args.minCandidateNodesAbsolute));
}

/** The reason why the pod may not preempt others; undefined if it may: upstream's PodEligibleToPreemptOthers. */
function reasonNotToPreempt(pod: PodInfo, handle: Handle, filtered: NodeToStatus): string | undefined {
  if (pod.pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const nominated = nominatedNodeNameOf(pod.pod);
  // Does not wait for victims on a node that no longer fits or was not checked.
  const code = filtered.get(nominated)?.code ?? 'UnschedulableAndUnresolvable';
  if (nominated === '' || code === 'UnschedulableAndUnresolvable') return undefined;
  const others = [...(handle.snapshot().get(nominated)?.pods.values() ?? [])];
  const isAwaited = others.some((other) => other.priority < pod.priority && isLeavingForOthers(other.pod));
  return isAwaited ? 'not eligible due to a terminating pod on the nominated node.' : undefined;
}

function isLeavingForOthers(pod: Pod): boolean {
  if (!isDeleting(pod)) return false;
  const condition = findCondition(pod.status.conditions, 'DisruptionTarget');
  return condition?.status === 'True' && condition.reason === 'PreemptionByScheduler';
}
