import type { CycleState } from '../cycle-state.ts';
import type { Victims } from '../extender.ts';
import type { Handle, NodeToStatus } from '../interface.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import { messageOf, newStatus, type Status } from '../status.ts';
import type { Budget } from './budget.ts';
import { selectVictims } from './select-victims.ts';

/** The index of the first node, and the number of candidates at which to stop. */
export interface Search {
  readonly offset: number;
  readonly candidates: number;
}

/** Nodes on which the pod would fit after evictions, and the statuses of the other nodes tried. */
export interface DryRun {
  /** Candidates by node name. Those without budget violations come first. */
  readonly candidates: ReadonlyMap<string, Victims>;
  readonly refused: NodeToStatus;
}

/** The pod to make room for, and the disruption budgets to respect. */
export interface Attempt {
  readonly state: CycleState;
  readonly pod: PodInfo;
  readonly budgets: readonly Budget[];
}

/** Tries evictions on copies of the nodes: upstream's DryRunPreemption. */
export function dryRun(handle: Handle, attempt: Attempt, nodes: readonly NodeInfo[], search: Search): DryRun {
  const harmless = new Map<string, Victims>();
  const violating = new Map<string, Victims>();
  const refused = new Map<string, Status>();
  for (let i = 0; i < nodes.length; i++) {
    if (harmless.size > 0 && harmless.size + violating.size >= search.candidates) break;
    const node = nodes[(search.offset + i) % nodes.length];
    if (node === undefined) continue;
    const found = selectVictims(handle, { ...attempt, state: attempt.state.clone() }, node.clone());
    if ('code' in found) refused.set(node.name, found);
    else if (found.pdbViolations === 0) harmless.set(node.name, found);
    else if (violating.size < search.candidates) violating.set(node.name, found);
  }
  return { candidates: new Map([...harmless, ...violating]), refused };
}

/** The error of the nodes whose check failed; undefined if all statuses are rejections. */
export function faultOf(refused: NodeToStatus): Status | undefined {
  const faults = [...refused.values()].filter(({ code }) => code === 'Error');
  return faults.length === 0 ? undefined : newStatus('Error', [...new Set(faults.map(messageOf))].join(', '));
}
