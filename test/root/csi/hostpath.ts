import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RunningProgram } from '#test/e2e/program.ts';
import { until } from '#test/until.ts';
import { logs } from '../logs.ts';

/** The folder with upstream's programs, which are built outside of the project, and `crd`, the definitions of snapshots. */
export const PROGRAMS = process.env['DAVIT_CSI_PROGRAMS'] ?? '';
/** The driver's name. */
export const HOSTPATH = 'hostpath.csi.k8s.io';
/** The key of the driver's topology: its value is the node's name. */
export const TOPOLOGY = 'topology.hostpath.csi/node';

const FOLDER = '/var/lib/kubelet/plugins/csi-hostpath';
const SOCKET = join(FOLDER, 'csi.sock');
const STATE = '/run/csi-hostpath';

/** Upstream's csi-hostpath with its sidecars, unmodified, as processes of the first host; `await using` ends them. */
export class HostpathDriver implements AsyncDisposable {
  readonly #programs = new Map<string, RunningProgram>();
  readonly #kubeconfig: string;
  readonly #node: string;

  private constructor(kubeconfig: string, node: string) {
    this.#kubeconfig = kubeconfig;
    this.#node = node;
  }

  /** Starts the driver for a node and the sidecars. They may not be ready yet. */
  static async start(kubeconfig: string, node: string): Promise<HostpathDriver> {
    const driver = new HostpathDriver(kubeconfig, node);
    await driver.startAgain();
    return driver;
  }

  /** Starts all programs, the driver over the volumes that an earlier one left. */
  async startAgain(): Promise<void> {
    mkdirSync(FOLDER, { recursive: true });
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
    await until(() => existsSync(SOCKET));
    this.#startSidecars();
  }

  /** Kills the driver, and then the sidecars, which end themselves sooner or later without it. */
  async kill(): Promise<void> {
    for (const program of this.#programs.values()) await program.ended('SIGKILL');
  }

  /** The ends of what the programs say. */
  get log(): string {
    return [...this.#programs]
      .map(([name, { stdout, stderr }]) => `${name}: ${(stdout + stderr).slice(-1500)}`)
      .join('\n');
  }

  #startSidecars(): void {
    const { address, kubeconfig } = {
      address: `--csi-address=${SOCKET}`,
      kubeconfig: `--kubeconfig=${this.#kubeconfig}`,
    };
    const registry = '--plugin-registration-path=/var/lib/kubelet/plugins_registry';
    this.#start('csi-node-driver-registrar', address, `--kubelet-registration-path=${SOCKET}`, registry);
    const flags = ['--feature-gates=Topology=true', '--enable-capacity', '--capacity-ownerref-level=-1'];
    this.#start('csi-provisioner', address, kubeconfig, '--extra-create-metadata', ...flags);
    for (const sidecar of ['csi-attacher', 'csi-resizer', 'csi-snapshotter']) this.#start(sidecar, address, kubeconfig);
    this.#start('snapshot-controller', kubeconfig);
  }

  #start(program: string, ...flags: readonly string[]): void {
    const env = { NAMESPACE: 'kube-system', POD_NAME: 'none' };
    const running = new RunningProgram(join(PROGRAMS, program), ['-v=2', ...flags], { env });
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

/** A file of a volume of the driver. */
export const fileOf = (volumeHandle: string, name: string): string => join(STATE, volumeHandle, name);
