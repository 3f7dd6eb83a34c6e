import { finished } from '#lib/machinery/steps.ts';
import type { CycleState } from '../cycle-state.ts';
import type { Victims } from '../extender.ts';
import type { Handle } from '../interface.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import { messageOf, newStatus, type Outcome, type Status } from '../status.ts';
import { type Budget, byViolation } from './budget.ts';
import { byImportance } from './importance.ts';

interface Trial {
  readonly state: CycleState;
  readonly pod: PodInfo;
  readonly budgets: readonly Budget[];
}

/** A step of the trial failed with an error rather than a refusal. */
class TrialFault extends Error {}

/**
 * Finds the fewest pods to evict from a node so that the pod fits, or the reason why it does not fit: upstream's SelectVictimsOnNode. State
 * and node must be copies. They end up without the victims.
 */
export function selectVictims(handle: Handle, trial: Trial, node: NodeInfo): Victims | Status {
  try {
    return select(handle, trial, node);
  } catch (error) {
    if (!(error instanceof TrialFault)) throw error;
    return newStatus('Error', error.message);
  }
}

function select(handle: Handle, { state, pod, budgets }: Trial, node: NodeInfo): Victims | Status {
  const remove = (one: PodInfo): void => {
    node.removePod(one);
    check(handle.runPreFilterExtensionRemovePod(state, pod, one, node));
  };
  const add = (one: PodInfo): void => {
    node.addPod(one);
    check(handle.runPreFilterExtensionAddPod(state, pod, one, node));
  };
  const lesser = [...node.pods.values()].filter(({ priority }) => priority < pod.priority);
  for (const one of lesser) remove(one);
  if (lesser.length === 0) {
    return newStatus('UnschedulableAndUnresolvable', 'No preemption victims found for incoming pod');
  }
  const refusal = finished(handle.runFilterPluginsWithNominatedPods(state, pod, node));
  if (refusal !== undefined) return refusal;

  const isMoreImportant = byImportance(handle.clock.now());
  const compare = (a: PodInfo, b: PodInfo): number => isMoreImportant(a.pod, b.pod);
  const { violating, harmless } = byViolation(lesser.sort(compare), budgets);
  /** Adds the pods back one by one, and keeps each one with which the pod still fits. */
  const without = (pods: readonly PodInfo[]): PodInfo[] =>
    pods.filter((one) => {
      add(one);
      if (finished(handle.runFilterPluginsWithNominatedPods(state, pod, node)) === undefined) return false;
      remove(one);
      return true;
    });
  const violated = without(violating);
  const victims = [...violated, ...without(harmless)].sort(compare).map((one) => one.pod);
  if (victims.length === 0) return newStatus('Error', `expected at least one victim pod on node "${node.name}"`);
  return { pods: victims, pdbViolations: violated.length };
}

function check(outcome: Outcome): void {
  if (outcome !== undefined) throw new TrialFault(messageOf(outcome));
}
