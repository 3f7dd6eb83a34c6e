import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Outcome, type RunningProgram, runProgram } from '#test/clients/e2e/program.ts';
import { DavitProcess } from '#test/clients/integration/davit-process.ts';
import { eventually } from '#test/support/eventually.ts';
import { type ContainerRuntime, podRange } from './container-runtime.ts';
import { logs } from './logs.ts';
import { HERE, HostPlace, runIn } from './place.ts';
import { HOST } from './setup.ts';
import { type HostSettings, TestHost } from './test-host.ts';

/** The newest kubectl. */
export const KUBECTL = process.env['DAVIT_ROOT_TESTS'] ?? '';

/** Flags of the programs in addition to every node's flags, and the network of the first host. */
interface Settings extends HostSettings {
  readonly server?: readonly string[];
}

/**
 * A server and several hosts, each with a container runtime and a node agent, as processes on this machine. `await using` ends them. The
 * first host uses the tests' own namespaces.
 */
export class TestNode implements AsyncDisposable {
  readonly folder: string;
  /** The first host, the node n1. */
  readonly first: TestHost;
  server: DavitProcess;
  readonly #serverFlags: readonly string[];
  readonly #hosts: TestHost[];
  readonly #places: HostPlace[] = [];
  /** The number of the newest host. */
  #number = 1;

  private constructor(parts: Pick<TestNode, 'folder' | 'server' | 'first'>, serverFlags: readonly string[]) {
    this.folder = parts.folder;
    this.server = parts.server;
    this.first = parts.first;
    this.#hosts = [parts.first];
    this.#serverFlags = serverFlags;
    logs.set('the server', () => this.server.program.stdout + this.server.program.stderr);
  }

  /** Starts a server and one host, whose agent has these flags. Resolves when the node is Ready. */
  static start(...agent: readonly string[]): Promise<TestNode> {
    return TestNode.startWith({ agent });
  }

  /** The same, with flags for the server too. */
  static async startWith({ server: serverFlags = [], ...settings }: Settings): Promise<TestNode> {
    const folder = mkdtempSync(join(tmpdir(), 'davit-node-'));
    const server = await DavitProcess.start(join(folder, 'data'), 0, ['--host', HOST, ...serverFlags]);
    const first = await TestHost.start(HERE, folder, server, settings);
    const node = new TestNode({ folder, server, first }, serverFlags);
    await node.isReady();
    return node;
  }

  /**
   * Adds a host in its own namespaces as the node n2, n3 and so on. Several hosts may be added concurrently. Resolves when it is Ready.
   * Pods of different hosts can reach each other, unless a host has its own network.
   */
  async addHost(settings: HostSettings = {}): Promise<TestHost> {
    const place = await HostPlace.make(++this.#number);
    this.#places.push(place);
    const host = await TestHost.start(place, join(this.folder, `n${place.number}`), this.server, settings);
    if (settings.networks === undefined) for (const other of this.#hosts) connect(host, other);
    this.#hosts.push(host);
    await this.isReady(host);
    return host;
  }

  /** Simulates a power failure of an added host, which stays off. */
  async powerOff(name: string): Promise<void> {
    for (const place of this.#places) if (name === `n${place.number}`) await place.powerOff();
  }

  /** Resolves when a node is Ready, by default the first. */
  async isReady(host: TestHost = this.first): Promise<void> {
    const path = 'jsonpath={.status.conditions[?(@.type=="Ready")].status}';
    await eventually(
      async () => (await this.kubectl('get', 'node', host.name, '-o', path)).stdout === 'True',
      () => `${host.name} is Ready: ${host.log.slice(-4000)}`,
    );
  }

  /** Runs kubectl as the administrator. */
  kubectl(...args: readonly string[]): Promise<Outcome> {
    return runProgram(KUBECTL, ['--kubeconfig', this.server.kubeconfig, ...args]);
  }

  /** Runs kubectl as the administrator, and returns its output. Throws if it fails. */
  async output(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.kubectl(...args);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** Applies a manifest as JSON. Throws kubectl's message if it fails. */
  async apply(...objects: readonly object[]): Promise<void> {
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
    const args = ['--kubeconfig', this.server.kubeconfig, 'apply', '-f', '-'];
    const { code, stderr } = await runProgram(KUBECTL, args, { input });
    if (code !== 0) throw new Error(stderr);
  }

  /** The container runtime of the first host. */
  get runtime(): ContainerRuntime {
    return this.first.runtime;
  }

  /** Kills the agent of the first host immediately. */
  killAgent(): void {
    this.first.killAgent();
  }

  /** Restarts the agent of the first host, like `TestHost.restartAgent`. */
  restartAgent(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL', ...flags: readonly string[]): Promise<number> {
    return this.first.restartAgent(signal, ...flags);
  }

  /** Kills the server if it still runs, and restarts it at its address with the same data. */
  async restartServer(): Promise<void> {
    const { port } = this.server;
    await this.server[Symbol.asyncDispose]();
    this.server = await DavitProcess.start(join(this.folder, 'data'), port, ['--host', HOST, ...this.#serverFlags]);
  }

  /** Starts another agent for the first node, like `TestHost.startClone`. */
  startClone(): RunningProgram {
    return this.first.startClone();
  }

  /** The process of the first host's running agent. */
  get agentPid(): number | undefined {
    return this.first.agentPid;
  }

  /** Standard error of the first host's running agent. */
  get log(): string {
    return this.first.log;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const host of this.#hosts) await host[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
    for (const place of this.#places) await place[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Adds routes between the pods of two hosts. */
function connect(one: TestHost, other: TestHost): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const)
    runIn(from.place, 'ip', 'route', 'replace', podRange(to.place), 'via', to.place.address);
}
