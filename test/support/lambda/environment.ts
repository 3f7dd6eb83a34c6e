import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mortal } from '#test/support/mortal.ts';
import type { Exchange } from './exchange.ts';
import { RuntimeApi } from './runtime-api.ts';

export interface FunctionOptions {
  /** aws-lambda-ric's program. */
  readonly runtime: string;
  /** The folder with the bundle's `index.js`. */
  readonly bundle: string;
  readonly env: Readonly<Record<string, string>>;
  /** The time-out of an invocation in ms. */
  readonly timeout: number;
}

/** An execution environment: a process with the runtime's own program, and the Runtime API that it uses. */
export class Environment {
  readonly #api: RuntimeApi;
  readonly #process: ChildProcess;
  readonly #timeout: number;
  isBusy = false;

  private constructor(api: RuntimeApi, options: FunctionOptions) {
    this.#api = api;
    this.#timeout = options.timeout;
    const program = spawn(process.execPath, [options.runtime], {
      cwd: options.bundle,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        AWS_LAMBDA_RUNTIME_API: api.address,
        _HANDLER: 'index.handler',
        LAMBDA_TASK_ROOT: options.bundle,
        AWS_LAMBDA_FUNCTION_NAME: 'davit',
        AWS_LAMBDA_FUNCTION_VERSION: '1',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
        AWS_LAMBDA_LOG_GROUP_NAME: 'davit',
        AWS_LAMBDA_LOG_STREAM_NAME: 'davit',
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        AWS_EC2_METADATA_DISABLED: 'true',
        ...options.env,
      },
    });
    this.#process = mortal(program);
  }

  /** Resolves when the function is initialized. */
  static async start(options: FunctionOptions): Promise<Environment> {
    const api = await RuntimeApi.listen();
    const environment = new Environment(api, options);
    const ended = once(environment.#process, 'exit').then(([code]) => {
      throw new Error(`the runtime ended with code ${String(code)}`);
    });
    ended.catch(() => undefined);
    await Promise.race([api.ready, ended]);
    return environment;
  }

  /** The process id of the runtime. */
  get pid(): number {
    return this.#process.pid ?? 0;
  }

  invoke(event: object): Exchange {
    this.isBusy = true;
    const exchange = this.#api.invoke(event, this.#timeout);
    const free = (): void => void (this.isBusy = false);
    exchange.done.then(free, free);
    return exchange;
  }

  async stop(): Promise<void> {
    const exited = this.#process.exitCode === null ? once(this.#process, 'exit') : undefined;
    this.#process.kill('SIGKILL');
    await exited;
    await this.#api.close();
  }
}
