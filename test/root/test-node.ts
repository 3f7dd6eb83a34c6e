import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addNode } from '#local/commands/node-add.ts';
import { runProgram, RunningProgram, type Outcome } from '#test/e2e/program.ts';
import { DavitProcess } from '#test/integration/davit-process.ts';
import { until } from '#test/until.ts';
import { CGROUP, HOST } from './setup.ts';
import { ContainerRuntime, SOCKET } from './container-runtime.ts';
import { logs } from './logs.ts';

/** The newest kubectl. */
export const KUBECTL = process.env['DAVIT_ROOT_TESTS'] ?? '';
const MAIN = join(import.meta.dirname, '../../node-agent/main.ts');
/** The name of the node. */
const NODE = 'n1';

/** Flags of the programs besides those that each node has. */
interface Flags {
  readonly server?: readonly string[];
  readonly agent?: readonly string[];
}

/** A server, a container runtime and a node agent as processes of this machine; `await using` ends them. */
export class TestNode implements AsyncDisposable {
  readonly folder: string;
  readonly runtime: ContainerRuntime;
  server: DavitProcess;
  #agent: RunningProgram;
  readonly #serverFlags: readonly string[];
  #flags: readonly string[];

  private constructor(parts: Pick<TestNode, 'folder' | 'server' | 'runtime'>, flags: Required<Flags>) {
    this.folder = parts.folder;
    this.server = parts.server;
    this.runtime = parts.runtime;
    this.#serverFlags = flags.server;
    this.#flags = flags.agent;
    this.#agent = this.#run();
    logs.set('the server', () => this.server.program.stdout + this.server.program.stderr);
    logs.set('the agent', () => this.log);
  }

  /** Starts all three, the agent with these flags. Resolves when the node is Ready. */
  static start(...agent: readonly string[]): Promise<TestNode> {
    return TestNode.startWith({ agent });
  }

  /** The same, with flags of the server too. */
  static async startWith({ server: serverFlags = [], agent = [] }: Flags): Promise<TestNode> {
    const folder = mkdtempSync(join(tmpdir(), 'davit-node-'));
    mkdirSync(join(folder, 'host'));
    const server = await DavitProcess.start(join(folder, 'data'), 0, ['--host', HOST, ...serverFlags]);
    const runtime = await ContainerRuntime.start(folder);
    const directory = join(folder, 'host');
    const add = { ttl: '1h', servingCertificate: false, directory, output: directory, server: server.url };
    await addNode(NODE, add, server.kubeconfig);
    const node = new TestNode({ folder, server, runtime }, { server: serverFlags, agent });
    await node.isReady();
    return node;
  }

  /** Resolves when the node is Ready. */
  async isReady(): Promise<void> {
    const path = 'jsonpath={.status.conditions[?(@.type=="Ready")].status}';
    await until(
      async () => (await this.kubectl('get', 'node', NODE, '-o', path)).stdout === 'True',
      () => `the node is Ready: ${this.log.slice(-4000)}`,
    );
  }

  /** Runs kubectl as the administrator. */
  kubectl(...args: readonly string[]): Promise<Outcome> {
    return runProgram(KUBECTL, ['--kubeconfig', this.server.kubeconfig, ...args]);
  }

  /** Runs kubectl as the administrator, and gives what it prints. Throws where it fails. */
  async output(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.kubectl(...args);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** Applies a manifest, as JSON. Throws what kubectl says where it fails. */
  async apply(...objects: readonly object[]): Promise<void> {
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
    const args = ['--kubeconfig', this.server.kubeconfig, 'apply', '-f', '-'];
    const { code, stderr } = await runProgram(KUBECTL, args, { input });
    if (code !== 0) throw new Error(stderr);
  }

  /** Kills the agent at once. */
  killAgent(): void {
    this.#agent.child.kill('SIGKILL');
  }

  /** Ends the agent where it still runs, and starts another, whose flags win over those before. Gives the exit code of the first. */
  async restartAgent(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL', ...flags: readonly string[]): Promise<number> {
    const { code } = await this.#agent.ended(signal);
    this.#flags = [...this.#flags, ...flags];
    this.#agent = this.#run();
    return code;
  }

  /** Kills the server where it still runs, and starts it again at its address over the same data. */
  async restartServer(): Promise<void> {
    const { port } = this.server;
    await this.server[Symbol.asyncDispose]();
    this.server = await DavitProcess.start(join(this.folder, 'data'), port, ['--host', HOST, ...this.#serverFlags]);
  }

  /** Starts another agent of the node, as on a machine with a copy of its disk: only the boot id differs. */
  startClone(): RunningProgram {
    const bootId = join(this.folder, 'boot-id');
    writeFileSync(bootId, randomUUID());
    const script = `mount --bind ${bootId} /proc/sys/kernel/random/boot_id && exec "$@"`;
    const namespace = ['--mount', '--propagation', 'unchanged', 'sh', '-c', script, 'sh'];
    return new RunningProgram('unshare', [...namespace, process.execPath, ...this.#arguments()]);
  }

  /** The process of the agent that runs. */
  get agentPid(): number | undefined {
    return this.#agent.child.pid;
  }

  /** Standard error of the agent that runs. */
  get log(): string {
    return this.#agent.stderr;
  }

  #run(): RunningProgram {
    return new RunningProgram(process.execPath, this.#arguments());
  }

  #arguments(): string[] {
    const host = join(this.folder, 'host');
    return [
      MAIN,
      `--bootstrap-kubeconfig=${join(host, 'bootstrap-kubelet.conf')}`,
      `--kubeconfig=${join(host, 'kubelet.conf')}`,
      `--config=${join(host, 'kubelet-config.yaml')}`,
      `--container-runtime-endpoint=unix://${SOCKET}`,
      '--root-dir=/var/lib/kubelet',
      `--hostname-override=${NODE}`,
      `--node-ip=${HOST}`,
      '--cgroups-per-qos=true',
      `--cgroup-root=/${CGROUP}`,
      '--v=2',
      ...this.#flags,
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
    await this.runtime[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
