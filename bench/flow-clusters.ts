import { FlowGraph } from '#lib/flow/flow-graph.ts';
import { randomFrom } from '../test/store/random.ts';

/** Machines per rack. */
const PER_RACK = 40;
/** Slots per machine. Up to a quarter of them are already in use. */
const SLOTS = 8;
/** The number of machines for which an equivalence class of tasks knows the cost. */
const PER_CLASS = 40;

/**
 * How tasks are connected to machines, as in Firmament's cost models (Gog and others, "Firmament: fast, centralized cluster scheduling at
 * scale", 2016).
 */
export type Model = 'trivial' | 'octopus' | 'cpu' | 'net' | 'quincy';

/** The size of a cluster. */
export interface ClusterOptions {
  readonly model: Model;
  readonly machines: number;
  readonly tasks: number;
  readonly jobs: number;
  /** The number of machines that a task prefers, for `quincy`. */
  readonly preferences?: number;
}

/**
 * A cluster as a flow network: tasks → unscheduled aggregator of their job, or → cluster or class → racks → machines → sink. The same
 * options always result in the same network.
 */
export class FlowCluster {
  readonly graph = new FlowGraph();
  readonly machines: number[];
  readonly sink: number;
  /** Free slots of all machines. */
  slots = 0;
  readonly #options: ClusterOptions;
  readonly #random = randomFrom(40);
  readonly #cluster: number;
  readonly #racks: number[];
  readonly #classes: number[];
  readonly #jobs: { readonly node: number; readonly arc: number }[];
  #tasks = 0;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.sink = this.graph.addNode();
    this.#cluster = this.graph.addNode();
    this.#racks = this.#nodes(Math.ceil(options.machines / PER_RACK));
    this.machines = this.#nodes(options.machines);
    for (const rack of this.#racks.keys()) this.#addRack(rack);
    this.#classes = this.#nodes(options.model === 'cpu' || options.model === 'net' ? 100 : 0);
    for (const node of this.#classes) this.#addClass(node);
    this.#jobs = this.#nodes(options.jobs).map((node) => ({ node, arc: this.#arc(node, this.sink, 0, 0) }));
    for (let task = 0; task < options.tasks; task++) this.addTask();
  }

  /** Adds a task of a random job, which may be small or large. Returns its node. */
  addTask(): number {
    const { graph } = this;
    const node = graph.addNode(1);
    graph.setSupply(this.sink, -++this.#tasks);
    const job = this.#jobs[Math.floor(this.#random() ** 3 * this.#jobs.length)];
    if (job === undefined) return node;
    graph.setCapacity(job.arc, graph.capacityOf(job.arc) + 1);
    this.#connect(node, job.node);
    return node;
  }

  /** Removes a task. */
  removeTask(node: number): void {
    this.graph.removeNode(node);
    this.graph.setSupply(this.sink, -(--this.#tasks));
  }

  #connect(task: number, job: number): void {
    const { model, preferences = 3 } = this.#options;
    if (model === 'trivial' || model === 'octopus') {
      this.#arc(task, job, 1, model === 'trivial' ? 100 : 2000);
      this.#arc(task, this.#cluster, 1, model === 'trivial' ? 1 : 0);
    } else if (model === 'quincy') {
      this.#arc(task, job, 1, 1500 + 20 * this.#integer(0, 60));
      this.#arc(task, this.#cluster, 1, this.#integer(1000, 1200));
      for (const machine of this.#some(this.machines, preferences)) this.#arc(task, machine, 1, this.#integer(0, 500));
      for (const rack of this.#some(this.#racks, 2)) this.#arc(task, rack, 1, this.#integer(300, 900));
    } else {
      this.#arc(task, job, 1, 4000 + 10 * this.#integer(0, 60));
      for (const node of this.#some(this.#classes, 1)) this.#arc(task, node, 1, this.#integer(0, 10));
      if (this.#random() >= 0.2) return;
      for (const machine of this.#some(this.machines, 3)) this.#arc(task, machine, 1, this.#integer(0, 300));
    }
  }

  #addRack(index: number): void {
    const { model } = this.#options;
    const rack = this.#racks[index] ?? 0;
    let slots = 0;
    for (const machine of this.machines.slice(index * PER_RACK, (index + 1) * PER_RACK)) {
      const taken = this.#integer(0, SLOTS / 4);
      slots += SLOTS - taken;
      this.#arc(machine, this.sink, SLOTS - taken, model === 'trivial' || model === 'quincy' ? 0 : this.#integer(0, 5));
      const costs = {
        trivial: 0,
        quincy: 0,
        octopus: 10 * taken,
        cpu: this.#integer(0, 40),
        net: this.#integer(0, 40),
      };
      this.#arc(rack, machine, SLOTS - taken, costs[model]);
    }
    this.#arc(this.#cluster, rack, slots, 0);
    this.slots += slots;
  }

  #addClass(node: number): void {
    for (const machine of this.#some(this.machines, PER_CLASS))
      this.#arc(node, machine, this.#integer(1, 12), this.#integer(0, 1000));
    this.#arc(node, this.#cluster, 24_000, 1000);
  }

  #nodes(count: number): number[] {
    return Array.from({ length: count }, () => this.graph.addNode());
  }

  #arc(tail: number, head: number, capacity: number, cost: number): number {
    return this.graph.addArc(tail, head, { capacity, cost });
  }

  #integer(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  /** Chooses `count` different elements of a list, or all of a shorter list. */
  #some(list: readonly number[], count: number): Set<number> {
    const chosen = new Set<number>();
    while (chosen.size < Math.min(count, list.length)) chosen.add(list[this.#integer(0, list.length - 1)] ?? 0);
    return chosen;
  }
}

/** The network as DIMACS text. It must not have changed since it was created. */
export function dimacsOf(graph: FlowGraph): string {
  const { nodes, arcs } = graph;
  const lines = [`p min ${nodes} ${arcs}`];
  for (let node = 0; node < nodes; node++)
    if (graph.supply[node] !== 0) lines.push(`n ${node + 1} ${graph.supply[node]}`);
  for (let arc = 0; arc < arcs; arc++)
    lines.push(
      `a ${graph.tailOf(arc) + 1} ${graph.headOf(arc) + 1} ${graph.lower[arc]} ${graph.capacityOf(arc)} ${graph.cost[2 * arc]}`,
    );
  return `${lines.join('\n')}\n`;
}
