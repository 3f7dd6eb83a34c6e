import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import { pathOf } from '#test/support/clients/cache.ts';
import { buildKubeScheduler } from '#test/support/clients/kube-scheduler.ts';
import { freePort } from '#test/support/free-port.ts';

/** The requests per second that the client may send: more than it needs, as in scheduler_perf. */
const UNLIMITED = 5000;
/** The number of attempts to reach its port, one every 100 ms. */
const START_TRIES = 600;

/** Upstream's scheduler as a client of a server. DAVIT_KUBE_SCHEDULER is its program. By default, the program is built as for the tests. */
export class BenchKubeScheduler implements AsyncDisposable {
  readonly #program: RunningProgram;
  readonly #port: number;

  private constructor(program: RunningProgram, port: number) {
    this.#program = program;
    this.#port = port;
  }

  /** Starts it with the kubeconfig in the data directory. */
  static async start(directory: string): Promise<BenchKubeScheduler> {
    const kubeconfig = join(directory, 'kubeconfig');
    const configuration = join(directory, 'kube-scheduler.yaml');
    const document = {
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      clientConnection: { kubeconfig, qps: UNLIMITED, burst: UNLIMITED },
      leaderElection: { leaderElect: false },
    };
    writeFileSync(configuration, stringify(document));
    const port = await freePort();
    const serving = ['--bind-address=127.0.0.1', `--secure-port=${port}`, `--cert-dir=${directory}`];
    const open = ['--authorization-always-allow-paths=/healthz,/metrics'];
    const delegating = [`--authentication-kubeconfig=${kubeconfig}`, `--authorization-kubeconfig=${kubeconfig}`];
    const path = process.env['DAVIT_KUBE_SCHEDULER'] ?? pathOf(await buildKubeScheduler());
    const program = new RunningProgram(path, [`--config=${configuration}`, ...serving, ...open, ...delegating]);
    const scheduler = new BenchKubeScheduler(program, port);
    for (let tries = START_TRIES; tries > 0 && !(await scheduler.#isServing()); tries--) await sleep(100);
    return scheduler;
  }

  get pid(): number {
    return this.#program.child.pid ?? 0;
  }

  /** Its metrics in the Prometheus text format. */
  async metrics(): Promise<string> {
    const asked = get({ host: '127.0.0.1', port: this.#port, path: '/metrics', rejectUnauthorized: false });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return text(response);
  }

  #isServing(): Promise<boolean> {
    return this.metrics().then(
      () => true,
      () => false,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program.ended('SIGTERM');
  }
}
