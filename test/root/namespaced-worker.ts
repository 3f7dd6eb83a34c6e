import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { PoolOptions, PoolWorker, WorkerRequest } from 'vitest/node';
import { mortal } from '../support/mortal.ts';
import { removeCgroups } from './remove-cgroups.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Runs a program in its own namespaces. The kernel ends them when the run is killed. */
const NAMESPACES = [
  '--pdeathsig',
  'KILL',
  'unshare',
  '--mount',
  '--net',
  '--pid',
  '--cgroup',
  '--uts',
  '--ipc',
  '--fork',
  '--kill-child',
  '--mount-proc',
  '--',
];
/** The number of files with the highest processor time to print at the end of a run. */
const SHOWN = 10;
/** Indexes in /proc/self/stat, counted after the name: user and kernel ticks of all ended children. */
const [CHILDREN_USER, CHILDREN_SYSTEM] = [13, 14];
const TICKS_PER_SECOND = 100;

/** The elapsed time and the processor time of a test file and its processes, in seconds. */
interface Taken {
  readonly file: string;
  readonly wall: number;
  readonly processor: number;
}
const taken: Taken[] = [];
let seen = 0;

/**
 * The worker of one test file, which is the first process in its own process, mount, network and cgroup namespaces. When it ends, the
 * kernel ends every container and removes all mounts and interfaces, even after a failure. The file's cgroups are below a separate one.
 */
export class NamespacedWorker implements PoolWorker {
  readonly name = 'namespaces';
  readonly cacheFs = true;
  readonly #options: PoolOptions;
  readonly #cgroup = `${process.env['DAVIT_ROOT_RUN'] ?? 'davit'}-${randomUUID()}`;
  readonly #began = performance.now();
  #child: ChildProcess | undefined;
  #file = '';

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    if (process.env['DAVIT_ROOT_TESTS'] === undefined) throw new Error('these tests start by npm run test:root');
    const { distPath, execArgv, env } = this.#options;
    const child = fork(join(distPath, 'workers/forks.js'), [], {
      execPath: 'setpriv',
      execArgv: [...NAMESPACES, process.execPath, ...execArgv],
      env: { ...env, DAVIT_ROOT_CGROUP: this.#cgroup },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    this.#child = mortal(child);
    child.stdout?.pipe(process.stdout, { end: false });
    child.stderr?.pipe(process.stderr, { end: false });
  }

  /**
   * Ends the worker as the end of the run would (`test/support/setup/end-with-run.ts`), so that its namespaces end before this resolves.
   */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    if (child.connected) child.disconnect();
    if (child.exitCode === null && child.signalCode === null) await ended;
    this.#note();
    await removeCgroups(this.#cgroup);
  }

  send(message: WorkerRequest): void {
    if ('context' in message && 'files' in message.context)
      this.#file = message.context.files.map(({ filepath }) => relative(ROOT, filepath)).join();
    if (this.#child?.connected === true) this.#child.send(message);
  }

  // The argument types are those of vitest's port.
  on(event: string, callback: Parameters<PoolWorker['on']>[1]): void {
    this.#child?.on(event, callback);
  }

  off(event: string, callback: Parameters<PoolWorker['off']>[1]): void {
    this.#child?.off(event, callback);
  }

  deserialize(data: unknown): unknown {
    return data;
  }

  #note(): void {
    const all = childrenSeconds();
    const one = { file: this.#file, wall: (performance.now() - this.#began) / 1000, processor: all - seen };
    seen = all;
    taken.push(one);
    console.log(`${one.file} took ${timesOf(one)}`);
  }
}

/** The vitest pool that runs each file this way. */
export const namespaces = {
  name: 'namespaces',
  createPoolWorker: (options: PoolOptions): PoolWorker => new NamespacedWorker(options),
};

/** The processor time of all ended children, including their own children. */
function childrenSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[CHILDREN_USER]) + Number(fields[CHILDREN_SYSTEM])) / TICKS_PER_SECOND;
}

function timesOf({ wall, processor }: Pick<Taken, 'wall' | 'processor'>): string {
  return `${wall.toFixed(0)} s, ${processor.toFixed(1)} s of processor time`;
}

process.once('exit', () => {
  if (taken.length === 0) return;
  const ordered = taken.toSorted((a, b) => b.processor - a.processor).slice(0, SHOWN);
  console.log(['most processor time:', ...ordered.map((one) => `  ${one.file}: ${timesOf(one)}`)].join('\n'));
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  const all = { wall: performance.now() / 1000, processor: childrenSeconds() + own };
  console.log(`${taken.length} files: ${timesOf(all)}, ${own.toFixed(1)} s of them vitest's own`);
});
