import { FlowGraph } from '#lib/flow/flow-graph.ts';
import { FlowSolver } from '#lib/flow/flow-solver.ts';

/** One step of the cost curve from a class to a machine. Each later step costs more. */
export interface CostStep {
  /** The maximum number of tasks of the class in this step. */
  readonly capacity: number;
  /** The cost per task, an integer. */
  readonly cost: number;
}

/** A machine that passes the filters of a class. */
export interface MachineArc {
  readonly machine: string;
  /** The domain of the machine in `ClassDemand.domains`; undefined if the class has no limits by domain. */
  readonly domain?: string | undefined;
  /** The steps in order of increasing cost. */
  readonly steps: readonly CostStep[];
}

/** A task of a class. */
export interface Task {
  /** The job of the task. Its tasks share an unscheduled aggregator. */
  readonly job: string;
  /** The cost of leaving it unscheduled, an integer. */
  readonly unscheduledCost: number;
}

/** The tasks of an equivalence class and the machines that can run them. */
export interface ClassDemand {
  readonly tasks: readonly Task[];
  readonly machines: readonly MachineArc[];
  /** The maximum number of tasks in each topology domain in this round. Absent domains have no limit. */
  readonly domains?: ReadonlyMap<string, number>;
}

/** The machines of a class's tasks, by task index; undefined for a task that stays unscheduled. */
export type ClassPlacements = readonly (string | undefined)[];

/** A solved round. */
export interface RoundFlow {
  /** The placements of each class, in the order of the demands. */
  readonly placements: readonly ClassPlacements[];
  /** The cost of the whole flow. */
  readonly cost: number;
  readonly nodes: number;
  readonly arcs: number;
}

interface ClassNodes {
  readonly demand: ClassDemand;
  /** The arcs from the tasks to the class, by task index. */
  readonly taskArcs: readonly number[];
  readonly machineArcs: readonly { readonly arc: number; readonly machine: string }[];
}

/**
 * Solves the flow network of a round (Firmament, OSDI 2016, section 3; Quincy, SOSP 2009, section 4):
 *
 *     task → class → [domain →] machine → sink
 *     task → unscheduled aggregator of its job → sink
 *
 * Every task sends one unit. `slots` contains the number of free pod slots of each machine. The placements have the lowest total cost among
 * those that respect the capacities. Throws FlowRangeError if a sum of costs is not exact.
 */
export function solveRound(demands: readonly ClassDemand[], slots: ReadonlyMap<string, number>): RoundFlow {
  const graph = new FlowGraph();
  const network = new Network(graph, slots);
  const classes = demands.map((demand) => network.addClass(demand));
  network.close();
  if (new FlowSolver(graph).solve() === 'infeasible') throw new TypeError('every task has an unscheduled aggregator');
  return {
    placements: classes.map((one) => placementsOf(graph, one)),
    cost: graph.totalCost(),
    nodes: graph.nodes,
    arcs: graph.arcs,
  };
}

/** Builds the network. */
class Network {
  readonly #graph: FlowGraph;
  readonly #slots: ReadonlyMap<string, number>;
  readonly #sink: number;
  readonly #machines = new Map<string, number>();
  readonly #jobs = new Map<string, { readonly node: number; tasks: number }>();
  #tasks = 0;

  constructor(graph: FlowGraph, slots: ReadonlyMap<string, number>) {
    this.#graph = graph;
    this.#slots = slots;
    this.#sink = graph.addNode();
  }

  addClass(demand: ClassDemand): ClassNodes {
    const graph = this.#graph;
    const node = graph.addNode();
    const domains = new Map(Array.from(demand.domains ?? [], ([name, limit]) => [name, this.#domain(node, limit)]));
    const machineArcs = demand.machines.flatMap(({ machine, domain, steps }) => {
      const tail = (domain === undefined ? undefined : domains.get(domain)) ?? node;
      const head = this.#machine(machine);
      return steps.map((step) => ({ machine, arc: graph.addArc(tail, head, step) }));
    });
    const taskArcs = demand.tasks.map((task) => this.#task(node, task));
    return { demand, taskArcs, machineArcs };
  }

  /** Adds the capacities that depend on all tasks. */
  close(): void {
    for (const { node, tasks } of this.#jobs.values())
      this.#graph.addArc(node, this.#sink, { capacity: tasks, cost: 0 });
    this.#graph.setSupply(this.#sink, -this.#tasks);
  }

  #task(classNode: number, { job, unscheduledCost }: Task): number {
    const graph = this.#graph;
    const task = graph.addNode(1);
    this.#tasks++;
    const aggregator = this.#jobs.get(job) ?? { node: graph.addNode(), tasks: 0 };
    aggregator.tasks++;
    this.#jobs.set(job, aggregator);
    graph.addArc(task, aggregator.node, { capacity: 1, cost: unscheduledCost });
    return graph.addArc(task, classNode, { capacity: 1, cost: 0 });
  }

  #domain(classNode: number, capacity: number): number {
    const domain = this.#graph.addNode();
    this.#graph.addArc(classNode, domain, { capacity, cost: 0 });
    return domain;
  }

  #machine(name: string): number {
    const known = this.#machines.get(name);
    if (known !== undefined) return known;
    const machine = this.#graph.addNode();
    this.#graph.addArc(machine, this.#sink, { capacity: this.#slots.get(name) ?? 0, cost: 0 });
    this.#machines.set(name, machine);
    return machine;
  }
}

/**
 * Converts the flow of a class into placements. Tasks of a class are equal, so the units of flow are assigned to the placed tasks in any
 * order.
 */
function placementsOf(graph: FlowGraph, { demand, taskArcs, machineArcs }: ClassNodes): ClassPlacements {
  const units = machineArcs.flatMap(({ arc, machine }) => Array.from({ length: graph.flowOf(arc) }, () => machine));
  let used = 0;
  return demand.tasks.map((_, task) => (graph.flowOf(taskArcs[task] ?? -1) > 0 ? units[used++] : undefined));
}
