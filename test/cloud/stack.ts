import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import { pathOf } from '#test/support/clients/cache.ts';
import { oldestKubectl } from '#test/support/clients/kubectl.ts';
import { destroy, destroyByApp } from './deploy.ts';
import { inventory } from './inventory.ts';
import { runOutput } from './output.ts';
import type { startPlatform } from './platform.ts';

type Platform = Awaited<ReturnType<typeof startPlatform>>;

export const kubectlBinary = await oldestKubectl();

const execute = promisify(execFile);

/** A stack that is deployed before the tests of a suite, and ends after them. */
export class Stack {
  #platform: Platform | undefined;

  /** `timeoutMs` bounds the deployment. */
  constructor(start: () => Promise<Platform>, timeoutMs = 400_000) {
    beforeAll(async () => void (this.#platform = await start()), timeoutMs);
    afterAll(() => this.#platform?.[Symbol.asyncDispose]());
  }

  get platform(): Platform {
    if (this.#platform === undefined) throw new Error('the stack is not deployed');
    return this.#platform;
  }

  /** Runs kubectl as the administrator. Resolves with its output. */
  async kubectl(args: readonly string[], manifest?: object): Promise<string> {
    const all = ['--kubeconfig', this.platform.kubeconfig, ...args];
    const running = execute(pathOf(kubectlBinary), all, { timeout: 200_000 });
    running.child.stdin?.end(JSON.stringify(manifest));
    return (await running).stdout;
  }

  /** Runs a command of the stack's outputs. */
  davit(output: string, ...more: readonly string[]): Promise<{ stdout: string; stderr: string }> {
    return runOutput(this.platform, output, more);
  }

  /**
   * Destroys the stack by its assembly, or by the app as users do. Resolves with the resources that `cdk destroy` leaves, by the emulator's own API, without those from before and
   * those of `cdk bootstrap`. A function of ministack that is running makes its log again after its deletion, although its role may make none.
   */
  async leftAfterDestroy(by: 'app' | 'assembly'): Promise<readonly string[]> {
    const { endpoint, assembly } = this.platform;
    const printed = by === 'app' ? await destroyByApp(endpoint) : await destroy(endpoint, assembly);
    expect(printed).toContain('Davit: destroyed');
    return (await inventory(endpoint)).filter(
      (name) => !/^(\w+ |schedule group )(default|cdk-)|^log \/aws\//.test(name),
    );
  }

  /** All resources but logs and schedules: those come by themselves, and schedules go when their time has come. */
  async lasting(): Promise<readonly string[]> {
    return (await inventory(this.platform.endpoint)).filter((name) => !/^(log|schedule) /.test(name)).toSorted();
  }
}
