import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import { eventually } from '#test/support/eventually.ts';
import { BUSYBOX, imageArchive, PAUSE, type TestImage } from './images.ts';
import { logs } from './logs.ts';
import { HERE, type Place, runIn } from './place.ts';

/** The socket of containerd. The path is in this run's own mount namespace. */
export const SOCKET = '/run/containerd/containerd.sock';

/** The settings of a containerd. */
interface RuntimeSettings {
  /** The folder of network configurations. Undefined creates one with a bridge. */
  readonly networks?: string;
  /** The image of sandboxes; the tests' own by default. */
  readonly sandbox?: TestImage;
  /** Other images to import; busybox by default. */
  readonly images?: readonly TestImage[];
  /** The host that it runs on; by default the tests' own. */
  readonly place?: Place;
}

/** A containerd for the tests. `await using` kills it, but not its containers. */
export class ContainerRuntime implements AsyncDisposable {
  readonly #folder: string;
  readonly #place: Place;
  #program: RunningProgram;

  private constructor(folder: string, place: Place) {
    this.#folder = folder;
    this.#place = place;
    this.#program = this.#run();
    logs.set(`containerd of host ${place.number}`, () => this.log);
  }

  /** Starts containerd, by default with a bridge network and the tests' images. */
  static async start(folder: string, settings: RuntimeSettings = {}): Promise<ContainerRuntime> {
    const { networks, sandbox = PAUSE, images = [BUSYBOX], place = HERE } = settings;
    mkdirSync(join(folder, 'cni'), { recursive: true });
    if (networks === undefined)
      writeFileSync(join(folder, 'cni/10-bridge.conflist'), JSON.stringify(network(folder, podRange(place))));
    writeFileSync(join(folder, 'containerd.toml'), configuration(folder, sandbox, networks));
    const runtime = new ContainerRuntime(folder, place);
    await runtime.ready();
    for (const image of [sandbox, ...images]) runtime.ctr('images', 'import', imageArchive(image));
    return runtime;
  }

  /** Runs `ctr` on the containers of its pods. */
  ctr(...args: readonly string[]): string {
    return runIn(this.#place, 'ctr', ...CTR, ...args);
  }

  /** Kills containerd immediately. Its containers continue to run. */
  kill(): void {
    this.#program.child.kill('SIGKILL');
  }

  /** Kills containerd if it still runs, and restarts it with the same state. */
  async restart(): Promise<void> {
    await this.#program.ended('SIGKILL');
    this.#program = this.#run();
    await this.ready();
  }

  get log(): string {
    return this.#program.stderr;
  }

  async ready(): Promise<void> {
    await eventually(() => {
      try {
        this.ctr('version');
        return true;
      } catch {
        return false;
      }
    });
  }

  #run(): RunningProgram {
    return new RunningProgram(
      ...this.#place.command('containerd', ['--config', join(this.#folder, 'containerd.toml')]),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
  }
}

const CTR = ['--address', SOCKET, '--namespace', 'k8s.io'];

/** Runs `ctr` on the containers of pods on the tests' own host. */
export const ctr = (...args: readonly string[]): string => runIn(HERE, 'ctr', ...CTR, ...args);

/** The pod CIDR of a host in tests that assign it: 10.244.0.0/24 for the first host. */
export const podRange = ({ number }: Place): string => `10.244.${number - 1}.0/24`;

const configuration = (folder: string, sandbox: TestImage, networks = join(folder, 'cni')): string => `version = 2
root = "${folder}/root"
state = "/run/containerd"
[grpc]
  address = "${SOCKET}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${sandbox.name}"
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${networks}"
`;

const network = (folder: string, subnet: string) => ({
  cniVersion: '1.0.0',
  name: 'tests',
  plugins: [
    {
      type: 'bridge',
      bridge: 'cni0',
      isGateway: true,
      hairpinMode: true,
      ipam: {
        type: 'host-local',
        ranges: [[{ subnet }]],
        routes: [{ dst: '0.0.0.0/0' }],
        dataDir: join(folder, 'cni-state'),
      },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
});
