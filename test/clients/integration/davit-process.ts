import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { START_FLAGS } from '#bench/server.ts';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import { ApiConnection } from './api-connection.ts';

const ROOT = join(import.meta.dirname, '../../..');
const READY = /is ready on (https:\S+) \((\d+) ms\)/;

/** A folder for the data of one test. `using` removes it. */
export class DataDirectory implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'davit-data-'));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The server in its own process, as its users start it. `await using` kills it. */
export class DavitProcess implements AsyncDisposable {
  readonly program: RunningProgram;
  readonly #directory: string;

  private constructor(directory: string, port: number, flags: readonly string[]) {
    this.#directory = directory;
    this.program = startMain(['--port', String(port), '--data-dir', directory, ...flags]);
  }

  /** Resolves when it logs that it is ready. */
  static async start(directory: string, port = 0, flags: readonly string[] = []): Promise<DavitProcess> {
    const process = new DavitProcess(directory, port, flags);
    await process.program.says(READY);
    return process;
  }

  get url(): string {
    return READY.exec(this.program.stdout)?.[1] ?? '';
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Time in ms from its start until it was ready, according to its log. */
  get readyAfter(): number {
    return Number(READY.exec(this.program.stdout)?.[2]);
  }

  get kubeconfig(): string {
    return join(this.#directory, 'kubeconfig');
  }

  connect(): ApiConnection {
    return new ApiConnection(readFileSync(this.kubeconfig, 'utf8'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
  }
}

/** Starts the program that `npm start` runs after bundling (`test/support/setup/bundle.ts`). The arguments may be invalid. */
export function startMain(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningProgram {
  return new RunningProgram(process.execPath, [...START_FLAGS, 'build/main.js', ...args], { cwd: ROOT, env });
}
