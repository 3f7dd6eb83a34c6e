import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import type { ApiConnection } from '#test/clients/integration/api-connection.ts';
import { eventually } from '#test/support/eventually.ts';
import { mortal } from '#test/support/mortal.ts';
import { inNamespaces } from './in-namespaces.ts';
import { quantile } from './samples.ts';

const SERVICES = 1000;
const ENDPOINTS = 10;
const CHANGES = 20;
/** Interval in ms between two changes. It exceeds the second that each proxy waits after a sync. */
const PAUSE = 1600;
const WORKERS = 16;
const FLAGS = ['--proxy-mode=nftables', '--cluster-cidr=10.244.0.0/16'];
/** Clock ticks per second in /proc. */
const TICKS = 100;

/** A proxy whose rules are measured. */
interface Side {
  readonly name: string;
  readonly table: string;
  readonly pid: number;
}

/**
 * Prints how soon the kernel has a change to one of 1,000 Services with ten endpoints each, and its processor time. Compares the agent with
 * the kube-proxy that DAVIT_BENCH_KUBE_PROXY names. Both follow the same server, and one of them is stopped in turn. Needs root.
 */
export async function measureServices(): Promise<void> {
  if (process.env['DAVIT_ROOT_TESTS'] === undefined) return inNamespaces('--services');
  const [{ setup, HOST }, { TestNode }] = await Promise.all([
    import('#test/root/setup.ts'),
    import('#test/root/test-node.ts'),
  ]);
  setup();
  await using node = await TestNode.startWith({ network: true, agent: FLAGS });
  using api = node.server.connect();
  await fill(api);
  const began = performance.now();
  await node.restartAgent();
  const agent: Side = { name: 'agent', table: 'davit-service-proxy', pid: node.agentPid ?? 0 };
  await isLoaded(agent, began);
  const proxy = process.env['DAVIT_BENCH_KUBE_PROXY'] ?? '';
  if (!existsSync(proxy)) {
    console.log('no kube-proxy beside it: DAVIT_BENCH_KUBE_PROXY names no program');
    return await compare(api, [agent]);
  }
  const started = performance.now();
  await using program = new RunningProgram(proxy, kubeProxyFlags(node.server.kubeconfig, HOST));
  const peer: Side = { name: 'kube-proxy', table: 'kube-proxy', pid: program.child.pid ?? 0 };
  await isLoaded(peer, started);
  await compare(api, [agent, peer]);
}

const kubeProxyFlags = (kubeconfig: string, host: string): string[] => [
  `--kubeconfig=${kubeconfig}`,
  ...FLAGS,
  '--hostname-override=n1',
  '--conntrack-max-per-core=0',
  `--healthz-bind-address=${host}:10356`,
  `--metrics-bind-address=${host}:10349`,
];

/** Writes the Services, each with one EndpointSlice. */
async function fill(api: ApiConnection): Promise<void> {
  const waiting = Array.from({ length: SERVICES }, (_, index) => index);
  const work = async (): Promise<void> => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      const metadata = { name: nameOf(index) };
      const spec = { ports: [{ name: 'http', port: 80 }] };
      await api.json('POST', '/api/v1/namespaces/default/services', { metadata, spec });
      await api.json('POST', SLICES, sliceOf(index));
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
}

const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const nameOf = (index: number): string => `s${index}`;

/** The EndpointSlice of a Service. `first` sets the address of its first endpoint. */
function sliceOf(index: number, first = `10.244.${index % 250}.200`): object {
  const others = Array.from({ length: ENDPOINTS - 1 }, (_, i) => `10.244.${index % 250}.${i + 1}`);
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: nameOf(index), labels: { 'kubernetes.io/service-name': nameOf(index) } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
    endpoints: [first, ...others].map((address) => ({ addresses: [address], conditions: { ready: true } })),
  };
}

/** Resolves when the kernel has the rules of every Service, and prints how long that took. */
async function isLoaded({ name, table, pid }: Side, began: number): Promise<void> {
  await eventually(() => {
    const { stdout } = spawnSync('nft', ['list', 'map', 'ip', table, 'service-ips'], { encoding: 'utf8' });
    return stdout.split('goto service-').length > SERVICES;
  });
  const seconds = (performance.now() - began) / 1000;
  console.log(`${name}: all rules ${seconds.toFixed(1)} s after its start, processor ${processorTime(pid)} ms`);
}

/** Changes one Service after another, alternately for each proxy, and prints the times. */
async function compare(api: ApiConnection, sides: readonly Side[]): Promise<void> {
  const samples = sides.map(() => ({ times: [] as number[], processor: [] as number[] }));
  const watch = new KernelWatch();
  await sleep(PAUSE * 2);
  for (let round = 0; round < CHANGES; round++)
    for (const [at, side] of sides.entries()) {
      for (const other of sides) if (other !== side) process.kill(other.pid, 'SIGSTOP');
      await sleep(PAUSE);
      const address = `10.245.${at}.${round + 1}`;
      const before = processorTime(side.pid);
      samples[at]?.times.push(await changed(api, watch, side, round, address));
      await sleep(PAUSE); // the end of the sync is part of its processor time
      samples[at]?.processor.push(processorTime(side.pid) - before);
      for (const other of sides) process.kill(other.pid, 'SIGCONT');
      await watch.sees(
        sides.map(({ table }) => table),
        address,
      );
    }
  watch.end();
  for (const [at, { name, pid }] of sides.entries()) {
    const { times = [], processor = [] } = samples[at] ?? {};
    const worst = quantile(times, 0.9);
    console.log(
      `${name}: from the write to the rules median ${quantile(times, 0.5).toFixed(0)} ms, p90 ${worst.toFixed(0)} ms; processor ${quantile(processor, 0.5).toFixed(0)} ms a change; memory ${memory(pid)} MiB`,
    );
  }
  const [own, peer] = samples.map(({ times }) => quantile(times, 0.5));
  if (own !== undefined && peer !== undefined) console.log(`agent / kube-proxy: ${(own / peer).toFixed(2)}`);
}

/** The time in milliseconds from the request for a change until the kernel has the rule. */
async function changed(
  api: ApiConnection,
  watch: KernelWatch,
  { table }: Side,
  index: number,
  address: string,
): Promise<number> {
  const began = performance.now();
  await api.json('PUT', `${SLICES}/${nameOf(index)}`, sliceOf(index, address));
  return (await watch.sees([table], address)) - began;
}

/** Follows the rules that the kernel adds. */
class KernelWatch {
  readonly #child: ChildProcess = mortal(
    spawn('nft', ['monitor', 'new', 'rules'], { stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  readonly #seen = new Map<string, number>();
  #rest = '';

  constructor() {
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#take(line);
    });
  }

  #take(line: string): void {
    const [, table = ''] = /^add rule ip (\S+)/.exec(line) ?? [];
    for (const [address] of line.matchAll(/\b10\.245\.\d+\.\d+\b/g))
      this.#seen.set(`${table} ${address}`, performance.now());
  }

  /** Resolves with the time when the last of these tables had the address. */
  async sees(tables: readonly string[], address: string): Promise<number> {
    const keys = tables.map((table) => `${table} ${address}`);
    await eventually(
      () => keys.every((key) => this.#seen.has(key)),
      () => keys.join(),
    );
    return Math.max(...keys.map((key) => this.#seen.get(key) ?? 0));
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }
}

/** Processor time in ms of a process and of its exited child processes. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * (1000 / TICKS);
}

const memory = (pid: number): string =>
  (Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024).toFixed(0);
