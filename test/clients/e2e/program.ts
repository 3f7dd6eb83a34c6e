import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { defined } from '#lib/machinery/defined.ts';
import { mortal } from '#test/support/mortal.ts';

/** How a program ended, and its output. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The standard input. */
  readonly input?: string;
}

const TIMEOUT = 120_000;

/** Runs a program to its end. After two minutes it is killed, and its code is 137. */
export function runProgram(path: string, args: readonly string[], options: ProgramOptions = {}): Promise<Outcome> {
  const { env = {}, cwd, input = '' } = options;
  return new Promise((resolve) => {
    const settings = {
      env: { ...process.env, ...env },
      timeout: TIMEOUT,
      killSignal: 'SIGKILL',
      maxBuffer: 1 << 26,
    } as const;
    const child = mortal(
      execFile(path, [...args], { ...settings, ...defined({ cwd }) }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : exitCode(error.code), stdout, stderr }),
      ),
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

const exitCode = (code: unknown): number => (typeof code === 'number' ? code : 137);

/** A program that runs while a test does other work. `await using` kills it. */
export class RunningProgram implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly #exit: Promise<unknown>;
  #isOver = false;
  #stdout = '';
  #stderr = '';

  /** Without `input`, its standard input is empty. With `input`, it stays open afterwards for `type`. */
  constructor(path: string, args: readonly string[], { env = {}, cwd, input }: ProgramOptions = {}) {
    const place = cwd === undefined ? {} : { cwd };
    const stdio: StdioOptions = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'];
    this.child = mortal(spawn(path, [...args], { env: { ...process.env, ...env }, stdio, ...place }));
    this.#exit = once(this.child, 'close').then(() => (this.#isOver = true));
    this.child.stdin?.on('error', () => undefined);
    if (input !== undefined) this.type(input);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
  }

  /** Writes more to its standard input. */
  type(text: string): void {
    this.child.stdin?.write(text);
  }

  /** Closes its standard input. */
  endInput(): void {
    this.child.stdin?.end();
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Resolves when its standard output matches. Rejects if it ends before that, or after two minutes. */
  async says(pattern: RegExp): Promise<void> {
    const deadline = AbortSignal.timeout(TIMEOUT);
    while (!pattern.test(this.#stdout)) {
      if (this.#isOver || deadline.aborted) {
        throw new Error(`no ${String(pattern)} in its output:\n${this.#stdout}\n${this.#stderr}`);
      }
      await Promise.race([once(this.child.stdout ?? this.child, 'data', { signal: deadline }), this.#exit]);
    }
  }

  /** Sends the signal, if any, and waits for the program to end. */
  async ended(signal?: NodeJS.Signals): Promise<Outcome> {
    if (signal !== undefined) this.child.kill(signal);
    await this.#exit;
    return { code: this.child.exitCode ?? 137, stdout: this.#stdout, stderr: this.#stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.ended('SIGKILL');
  }
}
