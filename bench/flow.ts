import { spawnSync } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { FlowGraph } from '#lib/flow/flow-graph.ts';
import { FlowSolver } from '#lib/flow/flow-solver.ts';
import { networkSimplex } from '#lib/flow/network-simplex.ts';
import { type ClusterOptions, dimacsOf, FlowCluster } from './flow-clusters.ts';
import { quantile } from './samples.ts';

const WARM_UP = 3;
const RUNS = 9;
const LARGE = { machines: 12_500, tasks: 10_000, jobs: 400 } as const;

/** The clusters that are solved from scratch. */
const FULL: Readonly<Record<string, ClusterOptions>> = {
  trivial: { ...LARGE, model: 'trivial' },
  octopus: { ...LARGE, model: 'octopus' },
  'cpu, 100 classes': { ...LARGE, model: 'cpu' },
  'net, 100 classes': { ...LARGE, model: 'net' },
  'quincy, 3 preferences': { ...LARGE, model: 'quincy' },
  'quincy, 12 preferences': { ...LARGE, model: 'quincy', preferences: 12, jobs: 2000 },
  '110 % of the slots': { ...LARGE, model: 'cpu', tasks: 96_233, jobs: 3000 },
};
/** The tasks fill 90 % of the slots of 12,500 machines. */
const LOADED: ClusterOptions = { ...LARGE, model: 'quincy', preferences: 12, tasks: 78_750, jobs: 2000 };
/** The maximum number of arcs of a network to solve with the network simplex method, which verifies results but is slow. */
const MAX_SIMPLEX = 200_000;
const ARRIVALS = 1000;
const LOSSES = 200;

/**
 * Measures the processor time of the flow solver in this process: from scratch, and after changes. If DAVIT_BENCH_ORTOOLS is a Python with
 * the package `ortools`, OR-Tools solves the same problems from scratch. `only` is a part of a cluster's name.
 */
export async function measureFlow(only = ''): Promise<void> {
  console.log(`${'from scratch, median of nine'.padEnd(28)}    arcs  B/arc      davit   OR-Tools  ratio  simplex`);
  for (const [name, options] of Object.entries(FULL)) if (name.includes(only)) await measureFull(name, options);
  if ('arrivals'.includes(only)) measureChanges();
}

async function measureFull(name: string, options: ClusterOptions): Promise<void> {
  const before = await memory();
  const { graph } = new FlowCluster(options);
  const solver = new FlowSolver(graph);
  const times: number[] = [];
  for (let run = 0; run < WARM_UP + RUNS; run++) times.push(timed(() => solver.solve()));
  const ours = quantile(times.slice(WARM_UP), 0.5);
  const bytes = ((await memory()) - before) / graph.arcs;
  const simplex = graph.arcs > MAX_SIMPLEX ? undefined : timed(() => networkSimplex(graph));
  const theirs = orTools(graph);
  const columns = [
    name.padEnd(28),
    String(graph.arcs).padStart(8),
    bytes.toFixed(0).padStart(7),
    `${ours.toFixed(1)} ms`.padStart(11),
    theirs === undefined ? '-'.padStart(11) : `${theirs.milliseconds.toFixed(1)} ms`.padStart(11),
    theirs === undefined ? '-'.padStart(7) : (ours / theirs.milliseconds).toFixed(2).padStart(7),
    (simplex === undefined ? '-' : `${simplex.toFixed(0)} ms`).padStart(9),
  ];
  console.log(columns.join(''));
  if (solver.solve() !== 'optimal') throw new Error(`${name}: infeasible`);
  if (theirs !== undefined && theirs.cost !== graph.totalCost())
    throw new Error(`${name}: cost ${graph.totalCost()}, OR-Tools has ${theirs.cost}`);
}

function measureChanges(): void {
  const cluster = new FlowCluster(LOADED);
  const solver = new FlowSolver(cluster.graph);
  const first = timed(() => solver.solve());
  console.log(
    `\n${LOADED.tasks} tasks on ${cluster.slots} slots, ${cluster.graph.arcs} arcs: ${first.toFixed(0)} ms from scratch`,
  );
  const arrivals = Array.from({ length: ARRIVALS }, () =>
    timed(() => {
      cluster.addTask();
      solver.resolve();
    }),
  );
  report(`${ARRIVALS} arrivals, each resolved`, arrivals);
  const losses = Array.from({ length: LOSSES }, (_, i) =>
    timed(() => {
      for (const task of tasksOn(cluster.graph, cluster.machines[i] ?? 0)) cluster.removeTask(task);
      cluster.graph.removeNode(cluster.machines[i] ?? 0);
      solver.resolve();
    }),
  );
  report(`${LOSSES} lost machines and their tasks`, losses);
  const moves = Array.from({ length: LOSSES }, (_, i) =>
    timed(() => {
      cluster.graph.removeNode(cluster.machines[LOSSES + i] ?? 0);
      solver.resolve();
    }),
  );
  report(`${LOSSES} lost machines, tasks placed anew`, moves);
  const cost = cluster.graph.totalCost();
  solver.solve();
  if (cost !== cluster.graph.totalCost()) throw new Error(`cost ${cost}, from scratch ${cluster.graph.totalCost()}`);
}

/** The tasks whose flow uses their direct arc to the machine. */
function tasksOn(graph: FlowGraph, machine: number): number[] {
  const tasks: number[] = [];
  for (let half = graph.first[machine] ?? -1; half >= 0; half = graph.next[half] ?? -1) {
    const node = graph.head[half] ?? 0;
    if (half % 2 === 1 && graph.supply[node] === 1 && graph.flowOf(half >> 1) === 1) tasks.push(node);
  }
  return tasks;
}

function report(name: string, times: readonly number[]): void {
  const [median, p99, most] = [0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(2));
  console.log(`${name.padEnd(40)}median ${median} ms, p99 ${p99} ms, most ${most} ms`);
}

/** Bytes in use, including typed arrays. */
async function memory(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const gc: () => void = runInNewContext('gc');
  for (let round = 0; round < 3; round++) {
    gc();
    await setImmediate(); // array buffers are freed after the collection
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Milliseconds of processor time. */
function timed(work: () => unknown): number {
  const begin = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

/** Solves the same problem in OR-Tools. Returns undefined if it is not available, and prints the reason once. */
function orTools(graph: FlowGraph): { readonly milliseconds: number; readonly cost: number } | undefined {
  const python = process.env['DAVIT_BENCH_ORTOOLS'];
  if (python === undefined) return undefined;
  const script = new URL('flow-ortools.py', import.meta.url).pathname;
  const { stdout, stderr, status } = spawnSync(python, [script], {
    input: dimacsOf(graph),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(`${python}: ${stderr}`);
  const [cost = Number.NaN, milliseconds = Number.NaN] = stdout.trim().split(' ').map(Number);
  if (Number.isNaN(cost)) console.log(stdout.trim());
  return Number.isNaN(cost) ? undefined : { cost, milliseconds };
}
