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

/** A stack that is deployed before the tests of a suite and destroyed after them. */
export class Stack {
  #platform: Platform | undefined;

  /** `timeoutMs` limits the time for the deployment. */
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

  /** Runs a command in the stack's outputs. */
  davit(output: string, ...more: readonly string[]): Promise<{ stdout: string; stderr: string }> {
    return runOutput(this.platform, output, more);
  }

  /**
   * Destroys the stack with its assembly, or with the app as users do. Resolves with the resources that `cdk destroy` leaves according to
   * the emulator's own API. Resources from before and those of `cdk bootstrap` are excluded. A running function on ministack recreates its
   * log after the deletion, although its role does not allow that.
   */
  async leftAfterDestroy(by: 'app' | 'assembly'): Promise<readonly string[]> {
    const { endpoint, assembly } = this.platform;
    const printed = by === 'app' ? await destroyByApp(endpoint) : await destroy(endpoint, assembly);
    expect(printed).toContain('Davit: destroyed');
    return (await inventory(endpoint)).filter(
      (name) => !/^(\w+ |schedule group )(default|cdk-)|^log \/aws\//.test(name),
    );
  }

  /** All resources except logs and schedules. Logs are created automatically, and schedules are deleted when they are due. */
  async lasting(): Promise<readonly string[]> {
    return (await inventory(this.platform.endpoint)).filter((name) => !/^(log|schedule) /.test(name)).toSorted();
  }
}
