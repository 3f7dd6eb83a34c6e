import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { RunProgram } from '#lib/machinery/execution.ts';
import type { VolumePlugin } from '../volume.ts';
import { FlexDriver } from './driver-call.ts';
import { flexVolumePlugin } from './flex-volume.ts';
import type { FlexHost } from './host.ts';

/** Delay in ms after which a failed `init` of a driver is retried. */
const RETRY = 60_000;

/** A directory `VENDOR~DRIVER` that contains a program. */
export interface InstalledDriver {
  /** The path of the directory. */
  readonly folder: string;
  /** Changes when the program is replaced. */
  readonly identity: string;
}

/** The ports of FlexVolumes. */
export interface FlexVolumesOptions {
  readonly flex: FlexHost;
  readonly clock: Clock;
  readonly run: RunProgram;
  /** The drivers on the host. Empty if their directory does not exist. Directories that start with a dot are skipped. */
  installed(): Promise<readonly InstalledDriver[]>;
  /** Logs drivers that cannot be used. */
  log(message: string): void;
}

interface Known {
  readonly identity: string;
  readonly plugin?: VolumePlugin;
  readonly at: number;
}

/** The FlexVolume drivers of a node, which can be added and removed while the agent runs (upstream: flexVolumeProber). */
export class FlexVolumes {
  readonly #options: FlexVolumesOptions;
  #known = new Map<string, Known>();
  #probing: Promise<void> | undefined;

  constructor(options: FlexVolumesOptions) {
    this.#options = options;
  }

  /** The plugins of the last detected drivers. */
  get plugins(): readonly VolumePlugin[] {
    return [...this.#known.values()].flatMap(({ plugin }) => plugin ?? []);
  }

  /** Detects added and removed drivers. Never rejects. Takes up to ten seconds if a new driver hangs. */
  async probe(): Promise<void> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined;
    });
    await this.#probing;
  }

  async #probe(): Promise<void> {
    const { installed, log } = this.#options;
    try {
      const drivers = await installed();
      const found = await Promise.all(drivers.map(async (one) => [one.folder, await this.#driver(one)] as const));
      this.#known = new Map(found);
    } catch (error) {
      log(`error reading the Flexvolume directory: ${messageOfError(error)}`);
    }
  }

  async #driver({ folder, identity }: InstalledDriver): Promise<Known> {
    const { flex, run, clock, log } = this.#options;
    const known = this.#known.get(folder);
    const now = clock.monotonic();
    const isSame = known?.identity === identity;
    if (isSame && (known.plugin !== undefined || now - known.at < RETRY)) return known;
    try {
      return { identity, at: now, plugin: await flexVolumePlugin(flex, new FlexDriver(folder, run)) };
    } catch (error) {
      const [name = ''] = folder.split('/').slice(-1);
      log(`error creating Flexvolume plugin from directory ${name}, skipping. Error: ${messageOfError(error)}`);
      return { identity, at: now };
    }
  }
}
