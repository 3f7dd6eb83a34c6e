import type { NodeInfo } from '#lib/scheduler/framework/node-info.ts';
import type { PodInfo } from '#lib/scheduler/framework/pod-info.ts';
import { type CostModel, MAX_PLACEMENT_COST } from './cost-model.ts';
import type { ClassDemand, CostStep, MachineArc, Task } from './flow-network.ts';
import { isAloneOnNode, resourceSlots } from './machine-slots.ts';
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

/** The maximum number of arcs to machines in a network. At 100 bytes per arc, they take 25 MB. */
export const MAX_ARCS = 250_000;

/**
 * Returns the demands of the classes. Each class has an equal share of `maxArcs`. A class whose arcs would exceed its share keeps the machines
 * that are cheapest for its first task, and the flow is then optimal for this smaller network. Classes with equal costs keep different
 * machines.
 */
export function classDemands(classes: readonly WaitingClass[], model: CostModel, maxArcs = MAX_ARCS): ClassDemand[] {
  const share = Math.floor(maxArcs / Math.max(1, classes.length));
  return classes.map((one, place) => demandOf(one, cheapest(one, model, { share, place }), model));
}

/** The demand of a class on the nodes that it keeps. Limits by domain count the pods of all its nodes. */
function demandOf({ pod, tasks, nodes }: WaitingClass, kept: readonly FeasibleNode[], model: CostModel): ClassDemand {
  const infos = nodes.map(({ node }) => node);
  const limited = domainLimits(pod, tasks.length, infos);
  const most = isAloneOnNode(pod) ? 1 : tasks.length;
  const machines = kept.map(
    (feasible): MachineArc => ({
      machine: feasible.node.name,
      domain: limited && feasible.node.labels[limited.topologyKey],
      steps: stepsOf(pod, feasible, most, model),
    }),
  );
  return limited === undefined ? { tasks, machines } : { tasks, machines, domains: limited.limits };
}

/**
 * The number of tasks with an arc each. Each further arc has twice the capacity of the one before, so a machine with 1,000 slots needs 15
 * arcs.
 */
const SINGLE = 8;

/** The steps of increasing cost on a machine for at most `most` tasks. The cost of a step is that of its middle task. */
function stepsOf(pod: PodInfo, { node, index, preference }: FeasibleNode, most: number, model: CostModel): CostStep[] {
  const slots = Math.min(most, resourceSlots(pod, node));
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

/** The number of steps of a machine with this many slots. */
function stepCount(slots: number): number {
  let steps = 0;
  for (let first = 0; first < slots; first += first < SINGLE ? 1 : first) steps++;
  return steps;
}

/** The share of a class in the arcs, and its number, by which classes with equal costs differ. */
interface Share {
  readonly share: number;
  readonly place: number;
}

/** The nodes that are cheapest for the first task of the class, as many as its share of the arcs allows; at least one. */
function cheapest(
  { pod, tasks, nodes }: WaitingClass,
  model: CostModel,
  { share, place }: Share,
): readonly FeasibleNode[] {
  const most = Math.max(1, Math.floor(share / stepCount(tasks.length)));
  if (nodes.length <= most) return nodes;
  const costs = Float64Array.from(
    nodes,
    ({ node, index, preference }) => preference + model.place({ pod, node, index, earlier: 0 }),
  );
  const limit = costs.toSorted()[most - 1] ?? 0;
  const below = nodes.filter((_, i) => (costs[i] ?? 0) < limit);
  const equal = nodes.filter((_, i) => costs[i] === limit);
  const start = (place * most) % Math.max(1, equal.length);
  return [...below, ...equal.slice(start), ...equal.slice(0, start)].slice(0, most);
}
