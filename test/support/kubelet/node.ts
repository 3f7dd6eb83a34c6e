import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type DefinedReconciler, defineReconciler } from '#lib/client/controller/define-reconciler.ts';
import type { Kind, KubernetesObject, TypedClient } from '#lib/client/typed-client.ts';
import type { NamespacedName } from '#lib/machinery/namespaced-name.ts';
import { Container } from './container.ts';
import type { Kubelet } from './kubelet.ts';
import { servePortForward } from './port-forward.ts';
import { PROTOCOLS, serveRemoteCommand } from './remote-command.ts';

interface ContainerOfPod {
  readonly name: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly tty?: boolean;
}

export interface Pod extends KubernetesObject {
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly ContainerOfPod[];
    readonly ephemeralContainers?: readonly ContainerOfPod[];
  };
  readonly status?: object;
}

interface Started {
  readonly container: Container;
  readonly since: string;
  exitCode?: number;
}

interface PodOnNode {
  readonly ip: string;
  readonly containers: Map<string, Started>;
}

const POD: Kind<Pod> = { apiVersion: 'v1', kind: 'Pod' };

/** Runs the containers of its pods as processes of this machine, and reports them. */
export class TestNode implements AsyncDisposable {
  readonly #name: string;
  readonly #kubelet: Kubelet;
  readonly #folder = mkdtempSync(join(tmpdir(), 'davit-node-'));
  readonly #pods = new Map<string, PodOnNode>();
  #client: TypedClient | undefined;
  /** WebSocket subprotocols that it serves for commands. */
  protocols = PROTOCOLS;

  constructor(name: string, kubelet: Kubelet) {
    this.#name = name;
    this.#kubelet = kubelet;
    kubelet.on('/containerLogs/', { request: (request, response) => this.#log(request, response) });
    kubelet.on('/exec/', { upgrade: (request, socket) => this.#command('exec', request, socket) });
    kubelet.on('/attach/', { upgrade: (request, socket) => this.#command('attach', request, socket) });
    kubelet.on('/portForward/', { upgrade: servePortForward });
  }

  /** The folder in which the containers' processes run. */
  get folder(): string {
    return this.#folder;
  }

  /** The reconciler that passes pods to the node. The server runs it. */
  get reconciler(): DefinedReconciler<Pod> {
    return defineReconciler({ name: `kubelet-${this.#name}`, for: POD }, async (request, { object }) => {
      await this.#sync(request, await object());
      return undefined;
    });
  }

  /** Registers the node. */
  async join(client: TypedClient): Promise<void> {
    this.#client = client;
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: this.#name } };
    await client.create({ ...node, status: this.#kubelet.nodeStatus });
  }

  /** Runs a pod that no reconciler passed to the node. */
  run(pod: Pod): Promise<void> {
    const { namespace = '', name = '' } = pod.metadata;
    return this.#sync({ namespace, name }, pod);
  }

  /** A container of a pod in the namespace `default`. Throws if it does not exist. */
  container(pod: string, name: string): Container {
    const found = this.#pods.get(`default/${pod}`)?.containers.get(name);
    if (found === undefined) throw new Error(`no container ${name} in pod ${pod}`);
    return found.container;
  }

  /** The number of clients attached to a container of a pod in the namespace `default`; zero if the container does not exist. */
  attached(pod: string, name: string): number {
    return this.#pods.get(`default/${pod}`)?.containers.get(name)?.container.attached ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const key of this.#pods.keys()) this.#end(key);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #sync({ namespace, name }: NamespacedName, pod: Pod | undefined): Promise<void> {
    const key = `${namespace}/${name}`;
    if (pod === undefined) return this.#end(key);
    if (pod.spec.nodeName !== this.#name) return;
    if (pod.metadata.deletionTimestamp !== undefined) {
      this.#end(key);
      const uid = pod.metadata.uid ?? '';
      return this.#client?.delete(POD, { namespace, name }, { uid, gracePeriodSeconds: 0 });
    }
    const known = this.#pods.get(key) ?? {
      ip: `10.64.0.${this.#pods.size + 1}`,
      containers: new Map<string, Started>(),
    };
    this.#pods.set(key, known);
    for (const spec of [...pod.spec.containers, ...(pod.spec.ephemeralContainers ?? [])])
      if (!known.containers.has(spec.name)) known.containers.set(spec.name, this.#start(spec, pod));
    await this.#report(pod);
  }

  #start(spec: ContainerOfPod, pod: Pod): Started {
    const { name, command = [], args = [], stdin = false, stdinOnce = false, tty = false } = spec;
    const container = new Container({ name, command: [...command, ...args], stdin, stdinOnce, tty }, this.#folder);
    const started: Started = { container, since: new Date().toISOString() };
    container.run().then(
      (code) => {
        started.exitCode = code;
        return this.#report(pod);
      },
      (error: unknown) => console.error(`container ${name}: ${String(error)}`),
    );
    return started;
  }

  #end(key: string): void {
    for (const { container } of this.#pods.get(key)?.containers.values() ?? []) container.kill();
    this.#pods.delete(key);
  }

  /** Reports the pod's status to the API, unless the pod no longer exists. */
  async #report({ metadata, spec }: Pod): Promise<void> {
    const { name = '', namespace = '' } = metadata;
    const pod = this.#pods.get(`${namespace}/${name}`);
    if (pod === undefined) return;
    const statusOf = (one: ContainerOfPod) => containerStatus(one, pod.containers.get(one.name));
    const codes = spec.containers.map((one) => pod.containers.get(one.name)?.exitCode);
    const isOver = codes.every((code) => code !== undefined);
    const phase = isOver ? (codes.every((code) => code === 0) ? 'Succeeded' : 'Failed') : 'Running';
    await this.#client?.patchStatus(
      POD,
      { namespace, name },
      {
        phase,
        podIP: pod.ip,
        podIPs: [{ ip: pod.ip }],
        conditions: [{ type: 'Ready', status: isOver ? 'False' : 'True' }],
        containerStatuses: spec.containers.map(statusOf),
        ephemeralContainerStatuses: (spec.ephemeralContainers ?? []).map(statusOf),
      },
    );
  }

  #log(request: IncomingMessage, response: ServerResponse): void {
    const { container, query } = this.#find(request);
    if (container === undefined) return void response.writeHead(404).end('container not found');
    const text = container.log.read(query);
    if (text === undefined) {
      const [, , , pod, name] = pathOf(request);
      return void response.writeHead(400).end(`previous terminated container "${name}" in pod "${pod}" not found`);
    }
    response.flushHeaders();
    void pipeline(text, response).catch(() => {});
  }

  #command(kind: 'exec' | 'attach', request: IncomingMessage, socket: Duplex): void {
    const { container } = this.#find(request);
    if (container === undefined) return void socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
    serveRemoteCommand(request, socket, this.protocols, (command) => container[kind](command));
  }

  #find(request: IncomingMessage): { readonly container: Container | undefined; readonly query: URLSearchParams } {
    const [, , namespace, pod, name = ''] = pathOf(request);
    const found = this.#pods.get(`${namespace}/${pod}`)?.containers.get(name);
    return { container: found?.container, query: new URL(request.url ?? '', 'https://node').searchParams };
  }
}

const pathOf = ({ url = '' }: IncomingMessage): string[] => new URL(url, 'https://node').pathname.split('/');

function containerStatus({ name, image = 'i' }: ContainerOfPod, started: Started | undefined): object {
  const { exitCode, since } = started ?? {};
  const state =
    exitCode === undefined
      ? { running: { startedAt: since } }
      : {
          terminated: { exitCode, startedAt: since, finishedAt: since, reason: exitCode === 0 ? 'Completed' : 'Error' },
        };
  return {
    name,
    image,
    imageID: '',
    restartCount: 0,
    ready: exitCode === undefined,
    started: exitCode === undefined,
    state,
  };
}
