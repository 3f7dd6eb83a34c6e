import type { NodeInfo } from '#lib/scheduler/framework/node-info.ts';
import type { PodInfo } from '#lib/scheduler/framework/pod-info.ts';
import { type CostModel, MAX_PLACEMENT_COST } from './cost-model.ts';
import type { ClassDemand, CostStep, MachineArc, Task } from './flow-network.ts';
import { classSlots } from './machine-slots.ts';
import { domainLimits } from './topology.ts';

/** A node that passes the filters of a class. */
export interface FeasibleNode {
  readonly node: NodeInfo;
  /** Its index in the snapshot. */
  readonly index: number;
  /** The cost of the class's preferences against the node, an integer from 0. */
  readonly preference: number;
}

/** A class of pods that wait, and the nodes that pass its filters. */
export interface WaitingClass {
  /** A pod that represents all pods of the class. */
  readonly pod: PodInfo;
  readonly tasks: readonly Task[];
  readonly nodes: readonly FeasibleNode[];
}

/** The maximum number of arcs to machines in a network. At 100 bytes per arc, they take 100 MB. */
export const MAX_ARCS = 1_000_000;

/**
 * Returns the demands of the classes. If their arcs exceed `maxArcs`, each class keeps an equal share of them, for its cheapest machines.
 * The flow is then optimal only for this smaller network.
 */
export function classDemands(classes: readonly WaitingClass[], model: CostModel, maxArcs = MAX_ARCS): ClassDemand[] {
  const demands = classes.map((one) => demandOf(one, model));
  const all = demands.reduce((sum, { machines }) => sum + arcsOf(machines), 0);
  if (all <= maxArcs) return demands;
  const share = Math.floor(maxArcs / demands.length);
  return demands.map((demand) => ({ ...demand, machines: cheapest(demand.machines, share) }));
}

function demandOf({ pod, tasks, nodes }: WaitingClass, model: CostModel): ClassDemand {
  const infos = nodes.map(({ node }) => node);
  const limited = domainLimits(pod, tasks.length, infos);
  const machines = nodes.map(
    (feasible): MachineArc => ({
      machine: feasible.node.name,
      domain: limited && feasible.node.labels[limited.topologyKey],
      steps: stepsOf(pod, feasible, tasks.length, model),
    }),
  );
  return limited === undefined ? { tasks, machines } : { tasks, machines, domains: limited.limits };
}

/**
 * The number of tasks with an arc each. Each further arc has twice the capacity of the one before, so a machine with 1,000 slots needs 15
 * arcs.
 */
const SINGLE = 8;

/** The steps of increasing cost on a machine. The cost of a step is that of its middle task. */
function stepsOf(pod: PodInfo, { node, index, preference }: FeasibleNode, tasks: number, model: CostModel): CostStep[] {
  const slots = Math.min(tasks, classSlots(pod, node));
  const steps: CostStep[] = [];
  let cost = 0;
  for (let first = 0; first < slots; ) {
    const capacity = first < SINGLE ? 1 : Math.min(first, slots - first);
    const place = model.place({ pod, node, index, earlier: first + ((capacity - 1) >> 1) });
    cost = Math.max(cost, Math.min(MAX_PLACEMENT_COST, preference + place));
    steps.push({ capacity, cost });
    first += capacity;
  }
  return steps;
}

const arcsOf = (machines: readonly MachineArc[]): number => machines.reduce((sum, { steps }) => sum + steps.length, 0);

/** The cheapest machines that together have at most `share` arcs, but at least one machine. */
function cheapest(machines: readonly MachineArc[], share: number): MachineArc[] {
  const sorted = machines.toSorted((a, b) => (a.steps[0]?.cost ?? 0) - (b.steps[0]?.cost ?? 0));
  let arcs = 0;
  const end = sorted.findIndex(({ steps }, i) => (arcs += steps.length) > share && i > 0);
  return end < 0 ? sorted : sorted.slice(0, end);
}
