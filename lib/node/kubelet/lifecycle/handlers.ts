import type { Container, HTTPGetAction, Pod } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { podReference, podText } from '../container/container-ref.ts';
import type { Runtime } from '../container/runtime.ts';
import type { NodeEventRecorder } from '../events/recorder.ts';
import { type HttpProber, NoResponse } from '../prober/ports.ts';
import { probeRequest } from '../prober/probe-request.ts';
import type { HandlerRunner } from './handler-runner.ts';

/** The ports of hooks. */
export interface HandlerPorts {
  readonly clock: Clock;
  readonly runtime: Pick<Runtime, 'runInContainer'>;
  readonly http: HttpProber;
  readonly events: NodeEventRecorder;
  /** The pod's current addresses in the runtime. Rejects if the runtime has no such pod. */
  podIPs(pod: Pod): Promise<readonly string[]>;
}

/** Lifecycle hooks of containers (upstream: lifecycle.handlerRunner). */
export class LifecycleHandlers implements HandlerRunner {
  readonly #ports: HandlerPorts;

  constructor(ports: HandlerPorts) {
    this.#ports = ports;
  }

  async run(...[id, pod, container, handler, signal]: Parameters<HandlerRunner['run']>): Promise<void> {
    const where = `for Container ${quote(container.name)} in Pod ${quote(podText(pod))} failed - error:`;
    const { exec, httpGet, sleep } = handler;
    if (exec !== undefined) return this.#exec(id, exec.command ?? [], where);
    if (httpGet !== undefined)
      return named(`HTTP lifecycle hook (${httpGet.path ?? ''}) ${where}`, this.#get(pod, container, httpGet, signal));
    if (sleep !== undefined)
      return named(`Sleep lifecycle hook (${sleep.seconds}) ${where}`, this.#sleep(Number(sleep.seconds), signal));
    const kind = handler.tcpSocket === undefined ? '' : 'tcpSocket';
    throw new Error(`Cannot run handler: invalid handler: ${kind}`);
  }

  async #exec(id: string, command: readonly string[], where: string): Promise<void> {
    const head = `Exec lifecycle hook ([${command.join(' ')}]) ${where}`;
    const fail = (error: string, output: string): Error => new Error(`${head} ${error}, message: ${quote(output)}`);
    const result = await this.#ports.runtime.runInContainer(id, command, 0).catch((error: unknown) => {
      throw fail(messageOfError(error), '');
    });
    const { exitCode } = result;
    if (exitCode === 0) return;
    const [stdout, stderr] = [result.stdout, result.stderr].map((bytes) => new TextDecoder().decode(bytes));
    throw fail(`command '${command.join(' ')}' exited with ${exitCode}: ${stderr}`, `${stdout}${stderr}`);
  }

  async #sleep(seconds: number, signal?: AbortSignal): Promise<void> {
    await this.#ports.clock.sleep(seconds * 1000, signal);
    if (signal?.aborted === true) throw new Error('container terminated before sleep hook finished');
  }

  /** Accepts any response. If a server responds to HTTPS with plain HTTP, the request is repeated with HTTP. */
  async #get(pod: Pod, container: Container, action: HTTPGetAction, signal?: AbortSignal): Promise<void> {
    const { host = '' } = action;
    const podIP = host === '' ? await this.#podIP(pod) : host;
    const request = probeRequest(action, container, podIP, 'lifecycle');
    const { http, events } = this.#ports;
    try {
      await http.get(request, 0, signal);
    } catch (error) {
      if (!(error instanceof NoResponse)) return; // there was a response, and its body is irrelevant
      if (!error.isPlainHttp) throw error;
      const { Authorization: _, ...headers } = request.headers;
      const url = request.url.replace(/^https:/, 'http:');
      const retried = await http.get({ ...request, url, headers }, 0, signal).then(
        () => true,
        (fault: unknown) => !(fault instanceof NoResponse),
      );
      if (!retried) throw error;
      const authority = /^http:\/\/([^/?#]*)/.exec(url)?.[1] ?? '';
      const message = `request to HTTPS lifecycle hook ${authority} got HTTP response, retry with HTTP succeeded`;
      events.event(podReference(pod), 'Warning', 'LifecycleHTTPFallback', message);
    }
  }

  async #podIP(pod: Pod): Promise<string> {
    const ips = await this.#ports.podIPs(pod).catch((error: unknown) => {
      const why = messageOfError(error);
      throw new Error(`unable to get pod status, event handlers may be invalid: ${why}`, defined({ cause: error }));
    });
    const [first] = ips;
    if (first === undefined) throw new Error(`failed to find networking container: ${podText(pod)}`);
    return first;
  }
}

/** Rejects with the prefix before the message. */
async function named(head: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw new Error(`${head} ${messageOfError(error)}`, { cause: error });
  }
}
