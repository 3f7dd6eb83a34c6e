import { type ChildProcess, spawn } from 'node:child_process';
import type { Execution, ExecutionEnd, RunProgram } from '#lib/machinery/execution.ts';
import { errnoText, errorCode } from '../records/path-error.ts';

/** Maximum bytes of a program's output. A program that writes more is killed. */
const MAX_STDOUT = 1 << 20;
/** Maximum bytes of standard error that are kept. */
const MAX_STDERR = 16 << 10;

/** Runs a program without a shell, in a separate process group. It gets the environment of this process and its own variables. */
export const runProgram: RunProgram = (execution) =>
  new Promise((resolve) => {
    const { path } = execution;
    const stdout = new Kept(MAX_STDOUT);
    const stderr = new Kept(MAX_STDERR);
    const child = started(execution);
    if (typeof child === 'string') return resolve(ended(stdout, stderr, child));
    const end = (failure?: string, isTooLong = false): void => {
      clearTimeout(timer);
      // Another program that it started and left running may hold its pipes.
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      resolve({ ...ended(stdout, stderr, failure), ...(isTooLong && { isTooLong }) });
    };
    const kill = (why: string, isTooLong = false): void => {
      killGroup(child);
      end(why, isTooLong);
    };
    const timer = setTimeout(() => kill('context deadline exceeded'), execution.timeout);
    child.on('error', (error) =>
      end(errorCode(error) === undefined ? error.message : `fork/exec ${path}: ${errnoText(error)}`),
    );
    child.on('close', (code, signal) => end(failureOf(code, signal)));
    child.stdout?.on('data', (bytes: Buffer) => {
      if (!stdout.add(bytes)) kill(`its output is longer than ${MAX_STDOUT} bytes`, true);
    });
    child.stderr?.on('data', (bytes: Buffer) => void stderr.add(bytes));
    child.stdin?.on('error', () => undefined); // it may end without reading its input
    child.stdin?.end(execution.stdin);
  });

/**
 * Starts the program. Without free file descriptors it has no streams, and an `error` event follows. If the arguments or variables are
 * invalid, returns an error text in Go's words, because node's errors would contain the values.
 */
function started({ path, args, env }: Execution): ChildProcess | string {
  const given = Object.fromEntries(env.map((variable) => [variable.name, variable.value]));
  try {
    return spawn(path, [...args], { env: { ...process.env, ...given }, stdio: 'pipe', detached: true });
  } catch (error) {
    return `fork/exec ${path}: ${errorCode(error) === 'E2BIG' ? 'argument list too long' : 'invalid argument'}`;
  }
}

/** Kills a program and all programs in its process group. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** Collects the first bytes of a stream. */
class Kept {
  readonly #max: number;
  readonly #chunks: Buffer[] = [];
  #length = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns false if there are too many bytes. */
  add(bytes: Buffer): boolean {
    const room = this.#max - this.#length;
    if (room > 0) this.#chunks.push(bytes.subarray(0, room)); // an empty subarray would keep all bytes in memory
    this.#length += bytes.length;
    return bytes.length <= room;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

const ended = (stdout: Kept, stderr: Kept, failure: string | undefined): ExecutionEnd => ({
  stdout: stdout.bytes,
  stderr: stderr.bytes.toString(),
  ...(failure !== undefined && { failure }),
});

/** Describes the end of a process in Go's words. */
function failureOf(code: number | null, signal: string | null): string | undefined {
  if (signal !== null) return `signal: ${signal}`;
  return code === 0 || code === null ? undefined : `exit status ${code}`;
}
