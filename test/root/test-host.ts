import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addNode } from '#local/commands/node-add.ts';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import type { DavitProcess } from '#test/clients/integration/davit-process.ts';
import { ContainerRuntime, SOCKET } from './container-runtime.ts';
import { logs } from './logs.ts';
import { type Place, runIn } from './place.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The arguments of Node.js that start the agent. The bundle needs a sixth of the processor time of the sources to start. */
export const AGENT = ['--import', join(ROOT, 'scripts/compile-cache.mjs'), join(ROOT, 'build/agent/main.js')];

/** The settings of a host. */
export interface HostSettings {
  /** Flags of the agent in addition to the default ones. */
  readonly agent?: readonly string[];
  /** The folder of the container runtime's network configuration. Undefined creates one with a bridge, whose pods other hosts can reach. */
  readonly networks?: string;
  /**
   * Whether nodes may watch the objects that their network depends on. With `printed`, the agent also has the network flags that `davit
   * node add` prints.
   */
  readonly network?: boolean | 'printed';
}

/** A container runtime and a node agent on one host. `await using` ends them, but not their containers. */
export class TestHost implements AsyncDisposable {
  /** The name of the node: `n1`. */
  readonly name: string;
  readonly place: Place;
  readonly runtime: ContainerRuntime;
  readonly #folder: string;
  #agent: RunningProgram;
  #flags: readonly string[];

  private constructor(
    place: Place,
    parts: Pick<TestHost, 'name' | 'runtime'>,
    folder: string,
    flags: readonly string[],
  ) {
    this.place = place;
    this.name = parts.name;
    this.runtime = parts.runtime;
    this.#folder = folder;
    this.#flags = flags;
    this.#agent = this.#run();
    logs.set(`the agent of ${this.name}`, () => this.log);
  }

  /** Starts both, with their state in the folder. The node may not be Ready yet. */
  static async start(place: Place, folder: string, server: DavitProcess, settings: HostSettings): Promise<TestHost> {
    const { networks, network = false, agent = [] } = settings;
    const directory = join(folder, 'host');
    mkdirSync(directory, { recursive: true });
    const runtime = await ContainerRuntime.start(folder, { place, ...(networks === undefined ? {} : { networks }) });
    const name = `n${place.number}`;
    const add = { ttl: '1h', servingCertificate: false, directory, output: directory, server: server.url };
    const flags = { ...add, ...(network !== false && { network: true as const }) };
    const { printed } = await addNode(name, flags, server.kubeconfig);
    const [, of = ''] = / --hostname-override=\S+(.*)\n$/.exec(printed) ?? [];
    const ofNetwork = network === 'printed' ? of.split(' ').filter((flag) => flag !== '') : [];
    return new TestHost(place, { name, runtime }, folder, [...ofNetwork, ...agent]);
  }

  /** Runs a program on the host, and returns its output. Throws if it fails. */
  run(program: string, ...args: readonly string[]): string {
    return runIn(this.place, program, ...args);
  }

  /** Kills the agent immediately. */
  killAgent(): void {
    this.#agent.child.kill('SIGKILL');
  }

  /**
   * Ends the agent if it still runs, and starts another one. The new flags override the previous ones. Returns the exit code of the first.
   */
  async restartAgent(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL', ...flags: readonly string[]): Promise<number> {
    const { code } = await this.#agent.ended(signal);
    this.#flags = [...this.#flags, ...flags];
    this.#agent = this.#run();
    return code;
  }

  /** Starts another agent for the node, as on a machine with a copy of its disk. Only the boot id differs. */
  startClone(): RunningProgram {
    const bootId = join(this.#folder, 'boot-id');
    writeFileSync(bootId, randomUUID());
    const script = `mount --bind ${bootId} /proc/sys/kernel/random/boot_id && exec "$@"`;
    const namespace = ['--mount', '--propagation', 'unchanged', 'sh', '-c', script, 'sh'];
    const command = [...namespace, process.execPath, ...this.#arguments()];
    return new RunningProgram(...this.place.command('unshare', command));
  }

  /** The process of the running agent. */
  get agentPid(): number | undefined {
    return this.#agent.child.pid;
  }

  /** Standard error of the running agent. */
  get log(): string {
    return this.#agent.stderr;
  }

  #run(): RunningProgram {
    return new RunningProgram(...this.place.command(process.execPath, this.#arguments()));
  }

  #arguments(): string[] {
    const host = join(this.#folder, 'host');
    return [
      ...AGENT,
      `--bootstrap-kubeconfig=${join(host, 'bootstrap-kubelet.conf')}`,
      `--kubeconfig=${join(host, 'kubelet.conf')}`,
      `--config=${join(host, 'kubelet-config.yaml')}`,
      `--container-runtime-endpoint=unix://${SOCKET}`,
      '--root-dir=/var/lib/kubelet',
      `--hostname-override=${this.name}`,
      `--node-ip=${this.place.address}`,
      '--cgroups-per-qos=true',
      `--cgroup-root=${this.place.cgroup}`,
      '--v=2',
      ...this.#flags,
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent[Symbol.asyncDispose]();
    await this.runtime[Symbol.asyncDispose]();
  }
}
