import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunningProgram } from '../test/clients/e2e/program.ts';
import { type Access, accessOf } from './connection.ts';

const ROOT = join(import.meta.dirname, '..');

/** The flags that `npm start` passes to node. */
export const START_FLAGS: readonly string[] = startFlags();

function startFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const [, server = ''] = scripts.start.split(' && '); // the part after the bundling
  return server.split(' ').slice(1, -1);
}

/** A server in its own process and directory. `await using` ends it and removes the directory. */
export class ServerProcess implements AsyncDisposable {
  readonly directory: string;
  readonly #flags: readonly string[];
  readonly #options: readonly string[];
  #program: RunningProgram | undefined;

  /** `flags` are passed to node, `options` to the server. */
  constructor(flags: readonly string[] = START_FLAGS, options: readonly string[] = []) {
    this.directory = mkdtempSync(join(tmpdir(), 'davit-bench-'));
    this.#flags = flags;
    this.#options = options;
  }

  /** Starts the server, possibly again after `stop`. Returns the time in ms until it logged that it is ready. */
  async start(): Promise<number> {
    execFileSync(process.execPath, ['scripts/bundle-local.ts'], { cwd: ROOT }); // as npm does
    const started = performance.now();
    const args = [
      ...this.#flags,
      join(ROOT, 'build/main.js'),
      '--port',
      '0',
      '--data-dir',
      this.directory,
      ...this.#options,
    ];
    this.#program = new RunningProgram(process.execPath, args, { cwd: ROOT });
    await this.#program.says(/is ready on/);
    return performance.now() - started;
  }

  async stop(): Promise<void> {
    await this.#program?.ended('SIGTERM');
    this.#program = undefined;
  }

  get access(): Access {
    return accessOf(join(this.directory, 'kubeconfig'));
  }

  get pid(): number {
    return this.#program?.child.pid ?? 0;
  }

  /** The standard error so far. */
  get complaints(): string {
    return this.#program?.stderr ?? '';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A process's resident memory in MiB, current or peak; NaN if the system does not report it. */
export function residentMemory(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readProc(pid, 'status'))?.[1]) / 1024;
}

/** The seconds of processor time that a process has used, in its own code and the system's. */
export const processorTime = (pid: number): number => secondsOf(readProc(pid, 'stat'));

/** The seconds of processor time that the main thread of a process has used. */
export const mainThreadTime = (pid: number): number => secondsOf(readProc(pid, `task/${pid}/stat`));

function secondsOf(stat: string): number {
  const fields = stat.split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return '';
  }
}
