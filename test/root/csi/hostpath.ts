import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import { eventually } from '#test/support/eventually.ts';
import { logs } from '../logs.ts';

/** The folder with upstream's programs, which are built outside of the project, and `crd`, the definitions for snapshots. */
export const PROGRAMS = process.env['DAVIT_CSI_PROGRAMS'] ?? '';
/** The driver's name. */
export const HOSTPATH = 'hostpath.csi.k8s.io';
/** The key of the driver's topology. Its value is the node's name. */
export const TOPOLOGY = 'topology.hostpath.csi/node';

/** The folder with the driver's socket `csi.sock`. */
export const SOCKET_FOLDER = '/var/lib/kubelet/plugins/csi-hostpath';
const SOCKET = join(SOCKET_FOLDER, 'csi.sock');
const STATE = '/run/csi-hostpath';

/**
 * Upstream's csi-hostpath and its registrar, unmodified, as processes on the first host. Its sidecars are pods. `await using` ends them.
 */
export class HostpathDriver implements AsyncDisposable {
  readonly #programs = new Map<string, RunningProgram>();
  readonly #node: string;

  private constructor(node: string) {
    this.#node = node;
  }

  /** Starts the driver for a node. */
  static async start(node: string): Promise<HostpathDriver> {
    const driver = new HostpathDriver(node);
    await driver.startAgain();
    return driver;
  }

  /** Starts both programs. The driver reuses the volumes of its previous run. */
  async startAgain(): Promise<void> {
    mkdirSync(SOCKET_FOLDER, { recursive: true });
    rmSync(SOCKET, { force: true });
    this.#start(
      'hostpathplugin',
      `--drivername=${HOSTPATH}`,
      `--endpoint=unix://${SOCKET}`,
      `--nodeid=${this.#node}`,
      `--statedir=${STATE}`,
      '--enable-attach',
      '--enable-controller-modify-volume',
      '--capacity=slow=1Gi',
    );
    await eventually(() => existsSync(SOCKET));
    const registry = '--plugin-registration-path=/var/lib/kubelet/plugins_registry';
    const address = `--csi-address=${SOCKET}`;
    this.#start('csi-node-driver-registrar', address, `--kubelet-registration-path=${SOCKET}`, registry);
  }

  /** Kills both programs. Without the driver, the sidecars exit sooner or later. */
  async kill(): Promise<void> {
    for (const program of this.#programs.values()) await program.ended('SIGKILL');
  }

  /** The last lines of the programs' logs. */
  get log(): string {
    return [...this.#programs]
      .map(([name, { stdout, stderr }]) => `${name}: ${(stdout + stderr).slice(-1500)}`)
      .join('\n');
  }

  #start(program: string, ...flags: readonly string[]): void {
    const running = new RunningProgram(join(PROGRAMS, program), ['-v=2', ...flags]);
    logs.set(program, () => running.stderr);
    this.#programs.set(program, running);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

/** The driver's volumes and snapshots on this machine. */
export const volumesOfHostpath = (): string[] =>
  existsSync(STATE) ? readdirSync(STATE).filter((name) => name !== 'state.json') : [];

/** A file in a volume of the driver. */
export const fileOf = (volumeHandle: string, name: string): string => join(STATE, volumeHandle, name);
