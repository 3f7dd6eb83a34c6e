import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import type { Handle, NodeToStatus, PluginFactory } from '../../interface.ts';
import type { PodInfo } from '../../pod-info.ts';
import { podInfoOf } from '../../pod-info-of.ts';
import { evaluate } from '../../preemption/evaluator.ts';
import { Executor } from '../../preemption/executor.ts';
import type { Search } from '../../preemption/dry-run.ts';
import { messageOf, newStatus } from '../../status.ts';
import type { DefaultPreemptionArgs } from './args.ts';

const NAME = 'DefaultPreemption';
const WAITS = newStatus('UnschedulableAndUnresolvable', 'waiting for the preemption for this pod to be finished');

/** Pods of lower priority leave a node where a pod would fit without them: upstream's DefaultPreemption. */
export const defaultPreemption: PluginFactory<DefaultPreemptionArgs> = (args, handle) => {
  const executor = new Executor(handle);
  const searchOf = (nodes: number): Search => ({
    offset: Math.floor(handle.random() * nodes),
    candidates: numberOfCandidates(args, nodes),
  });
  return {
    name: NAME,
    // Other plugins refused the pod too, and know which changes help: here none does.
    eventsToRegister: () => [{ event: { resource: 'Pod', actions: ['Delete'] }, hint: () => false }],
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

/** After how many candidates the best of them is taken. */
export function numberOfCandidates(args: DefaultPreemptionArgs, nodes: number): number {
  const share = Math.floor((nodes * args.minCandidateNodesPercentage) / 100);
  return Math.min(nodes, Math.max(share, args.minCandidateNodesAbsolute));
}

/** Why no others are to leave for this pod, if so: upstream's PodEligibleToPreemptOthers. */
function reasonNotToPreempt(pod: PodInfo, handle: Handle, filtered: NodeToStatus): string | undefined {
  if (text(objectAt(pod.pod, 'spec'), 'preemptionPolicy') === 'Never')
    return 'not eligible due to preemptionPolicy=Never.';
  const nominated = text(objectAt(pod.pod, 'status'), 'nominatedNodeName');
  // Where it cannot go any more, nobody needs to be waited for. So it is where the node was not looked at.
  const code = filtered.get(nominated)?.code ?? 'UnschedulableAndUnresolvable';
  if (nominated === '' || code === 'UnschedulableAndUnresolvable') return undefined;
  const others = [...(handle.snapshot().get(nominated)?.pods.values() ?? [])];
  const isAwaited = others.some((other) => other.priority < pod.priority && isLeavingForOthers(other.pod));
  return isAwaited ? 'not eligible due to a terminating pod on the nominated node.' : undefined;
}

function isLeavingForOthers(pod: JsonObject): boolean {
  if (!isDeleting(pod)) return false;
  const condition = items(objectAt(pod, 'status'), 'conditions').find(
    (one) => text(one, 'type') === 'DisruptionTarget',
  );
  return text(condition, 'status') === 'True' && text(condition, 'reason') === 'PreemptionByScheduler';
}
