import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#adapters/clock.ts';
import { objectAt } from '#lib/machinery/json-value.ts';
import { atMost } from '#lib/machinery/wait/within.ts';
import { Connection } from './connection.ts';
import { BenchKubeScheduler } from './kube-scheduler.ts';
import { forEachOf, quantile, timed } from './samples.ts';
import { attemptQuantile } from './scheduler-attempts.ts';
import { Churn } from './scheduler-churn.ts';
import {
  NAMED_NODE,
  namedNode,
  nodeNameOf,
  nodeOf,
  type PodSet,
  type Workload,
  workloadsOf,
} from './scheduler-workloads.ts';
import { mainThreadTime, processorTime, residentMemory, ServerProcess, START_FLAGS } from './server.ts';

const CLIENTS = 16;
const PATIENCE = 900_000;
/** The pause in ms between two reads during the placement. */
const PROBE = 20;
/** The options for nodes without a kubelet, and for pods without a service account or priority class. */
const OPTIONS = [
  '--controllers',
  '*,-node-lifecycle-controller,-taint-eviction-controller',
  '--disable-admission-plugins',
  'ServiceAccount,TaintNodesByCondition,Priority',
];
const COLUMNS =
  'workload,nodes,pods,side,pods/s,attempt p50 ms,p99,GET p99 ms,server s,main thread s,kube-scheduler s,server MiB,ours / this'.split(
    ',',
  );

const SIDES = ['ours', 'kube-scheduler', 'floor'] as const;
type Side = (typeof SIDES)[number];

/**
 * Runs upstream's scheduler_perf workloads three times: with this server's scheduler, with kube-scheduler as a client of this server, and
 * without a scheduler. In the last case, 16 clients bind the pods that they create. Seconds are processor time. `only` is a part of a
 * workload's name. Rows that are already in the file DAVIT_BENCH_TABLE are not measured again. DAVIT_BENCH_SIDES selects from the three.
 * DAVIT_BENCH_CPU_PROFILE is a directory for profiles of the server.
 */
export async function measureScheduler(only = '', sizes: readonly number[] = [500, 5000]): Promise<void> {
  const table = new Table(process.env['DAVIT_BENCH_TABLE']);
  const selected = process.env['DAVIT_BENCH_SIDES'] ?? SIDES.join();
  for (const workload of sizes.flatMap(workloadsOf).filter(({ name }) => name.includes(only)))
    for (const side of SIDES.filter((one) => selected.split(',').includes(one)))
      await table.row([workload.name, String(workload.nodes), String(workload.measured.count), side], () =>
        measure(workload, side),
      );
}

/** Rows of tab-separated columns, saved to a file if one is configured. The first four columns identify a row. */
class Table {
  readonly #file: string | undefined;
  readonly #known: string[][];

  constructor(file: string | undefined) {
    this.#file = file;
    const text = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : '';
    this.#known = text.split('\n').map((line) => line.split('\t'));
    if (text === '') this.#print(COLUMNS);
  }

  async row(key: readonly string[], measured: () => Promise<Measured>): Promise<void> {
    if (this.#find(key) !== undefined) return;
    const { rate, figures } = await measured();
    const ours = Number(this.#find([...key.slice(0, 3), 'ours'])?.[4]);
    const row = [...key, rate.toFixed(0), ...figures.map((figure) => figure.toFixed(1)), (ours / rate).toFixed(2)];
    this.#known.push(row);
    this.#print(row);
  }

  #find(key: readonly string[]): string[] | undefined {
    return this.#known.find((row) => key.every((cell, i) => row[i] === cell));
  }

  #print(row: readonly string[]): void {
    console.log(row.join('\t'));
    if (this.#file !== undefined) appendFileSync(this.#file, `${row.join('\t')}\n`);
  }
}

/** Pods placed per second, and the columns that follow. */
interface Measured {
  readonly rate: number;
  readonly figures: readonly number[];
}

async function measure(workload: Workload, side: Side): Promise<Measured> {
  const profile = process.env['DAVIT_BENCH_CPU_PROFILE'];
  const flags = profile === undefined ? START_FLAGS : [...START_FLAGS, '--cpu-prof', `--cpu-prof-dir=${profile}`];
  await using server = new ServerProcess(flags, [...OPTIONS, ...(side === 'ours' ? [] : ['--scheduler', 'false'])]);
  await server.start();
  const api = new Connection(server.access);
  await populate(api, workload);
  await using peer = side === 'kube-scheduler' ? await BenchKubeScheduler.start(server.directory) : undefined;
  for (const set of workload.init) await place(api, set, side, workload);
  if (workload.waiting !== undefined) await createPods(api, workload.waiting);
  const text = async () => peer?.metrics() ?? (await api.request('GET', '/metrics')).toString();
  const times = () => [processorTime(server.pid), mainThreadTime(server.pid), processorTime(peer?.pid ?? 0)];
  const [before, used] = [await text(), times()];
  const probe = new Probe(server, workload);
  const churn = workload.churn && new Churn(api, workload.churn);
  const took = await place(api, workload.measured, side, workload);
  const spent = times().map((time, i) => (Number.isNaN(time) ? 0 : time - (used[i] ?? 0)));
  const reads = await probe.ended();
  await churn?.ended();
  const after = await text();
  api.close();
  const attempts = [0.5, 0.99].map((share) => attemptQuantile(before, after, share));
  const figures = [...attempts, quantile(reads, 0.99), ...spent, residentMemory(server.pid, 'VmHWM')];
  return { rate: (workload.measured.count * 1000) / took, figures };
}

async function populate(api: Connection, workload: Workload): Promise<void> {
  const { namespaceLabels: labels = {} } = workload;
  for (const name of new Set([...workload.init, workload.measured].map(({ namespace }) => namespace)))
    await api.request('POST', '/api/v1/namespaces', { metadata: { name, labels } });
  await forEachOf(workload.nodes, CLIENTS, (i) => api.request('POST', '/api/v1/nodes', nodeOf(workload, i)));
  if (workload.hasNamedNode === true) await api.request('POST', '/api/v1/nodes', namedNode);
}

/** Creates pods. Calls `created` with each index and name. */
async function createPods(
  api: Connection,
  { namespace, count, pod }: PodSet,
  created: (i: number, path: string, name: string) => Promise<unknown> = async () => undefined,
): Promise<void> {
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await forEachOf(count, CLIENTS, async (i) => {
    const metadata = { ...objectAt(pod, 'metadata'), name: `pod-${i}` };
    await api.request('POST', pods, { ...pod, metadata });
    await created(i, `${pods}/${metadata.name}`, metadata.name);
  });
}

/** The node for the pod with this index, if there is no scheduler. */
const freeNode = (i: number, { nodes }: Workload): string => (nodes === 0 ? NAMED_NODE : nodeNameOf(i % nodes));

/**
 * Creates the pods and resolves with the milliseconds until all have a node. Without a scheduler, each client binds the pods that it
 * creates.
 */
async function place(api: Connection, set: PodSet, side: Side, workload: Workload): Promise<number> {
  if (set.count === 0) return 0;
  const { promise: placed, resolve } = Promise.withResolvers<void>();
  let left = set.count;
  const watcher = api.another();
  const selector = encodeURIComponent('spec.nodeName!=');
  await watcher.watch(`/api/v1/namespaces/${set.namespace}/pods?watch=true&fieldSelector=${selector}`, (line) => {
    if (line.startsWith('{"type":"ADDED"') && --left === 0) resolve();
  });
  const took = await timed(async () => {
    await createPods(api, set, async (i, path, name) => {
      if (side !== 'floor') return;
      const target = { kind: 'Node', name: freeNode(i, workload) };
      await api.request('POST', `${path}/binding`, { metadata: { name }, target });
    });
    await atMost(PATIENCE, () => placed, { clock: systemClock });
  });
  watcher.close();
  if (left > 0) throw new Error(`${left} pods have no node`);
  return took;
}

/** An additional client that reads a node repeatedly. */
class Probe {
  readonly #api: Connection;
  readonly #node: string;
  readonly #samples: number[] = [];
  readonly #work: Promise<void>;
  #isOver = false;

  constructor({ access }: ServerProcess, workload: Workload) {
    this.#api = new Connection(access);
    this.#node = freeNode(0, workload);
    this.#work = this.#run();
  }

  async #run(): Promise<void> {
    for (; !this.#isOver; await sleep(PROBE))
      this.#samples.push(await timed(() => this.#api.request('GET', `/api/v1/nodes/${this.#node}`)));
  }

  /** The duration of each read in milliseconds. */
  async ended(): Promise<readonly number[]> {
    this.#isOver = true;
    await this.#work;
    this.#api.close();
    return this.#samples;
  }
}
