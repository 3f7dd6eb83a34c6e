import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#lib/machinery/clock.ts';
import { Expiring } from '#lib/machinery/expiring.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { podLogsDirectory } from '#lib/node/kubelet/kuberuntime/log-paths.ts';
import type { PodStorage } from '#lib/node/kubelet/stats/cri-stats-provider.ts';
import { fsSize } from '#lib/node/kubelet/stats/cri-usage.ts';
import type { MeasuredVolume } from '#lib/node/kubelet/stats/measured-volumes.ts';
import type { FsStats, PodReference, VolumeStats } from '#lib/node/kubelet/stats/summary.ts';
import { diskUsage } from '../machine/disk-usage.ts';
import { fsInfoAt } from '../machine/machine-stats.ts';
import { isMissing } from '../records/path-error.ts';

/** Minimum interval in ms between two counts of a pod's volumes (upstream: volumeStatsAggPeriod). */
const VOLUME_PERIOD = 60_000;
/** Maximum number of pods whose counts are kept. */
const MAX_PODS = 1024;

/** The locations of pods' files. */
export interface HostPodStorageOptions {
  readonly clock: Clock;
  /** The folder of the agent, which contains `pods/UID`. */
  readonly rootDirectory: string;
  readonly podLogsDirectory: string;
  /** Returns the volumes of a pod, as `measuredVolumes` does. */
  volumesOf(uid: string): readonly MeasuredVolume[];
  /** Called for a file or volume that cannot be measured and is left out. */
  onFault(error: unknown): void;
}

interface CountedVolume {
  readonly volume: MeasuredVolume;
  readonly stats: VolumeStats;
}

/** Measures the pods' usage of the node's disk. */
export class HostPodStorage implements PodStorage {
  readonly #options: HostPodStorageOptions;
  readonly #counted = new Expiring<readonly CountedVolume[]>(MAX_PODS);
  readonly #fresh = new Expiring<true>(MAX_PODS);
  readonly #counting = new Set<string>();

  constructor(options: HostPodStorageOptions) {
    this.#options = options;
  }

  containerLogs(pod: PodReference, container: string): Promise<FsStats | undefined> {
    return this.#measured(() => this.#folder(join(this.#logsOf(pod), container)));
  }

  podLogs(pod: PodReference): Promise<FsStats | undefined> {
    return this.#measured(() => this.#filesIn(this.#logsOf(pod)));
  }

  etcHosts(uid: string): Promise<FsStats | undefined> {
    return this.#measured(() => this.#file(join(this.#options.rootDirectory, 'pods', uid, 'etc-hosts')));
  }

  /**
   * Returns the last count, or nothing before the first count. The next count runs in the background, because it takes long for many files.
   */
  async volumes(uid: string): ReturnType<PodStorage['volumes']> {
    const now = this.#options.clock.monotonic();
    if (this.#fresh.get(uid, now) === undefined && !this.#counting.has(uid)) {
      this.#fresh.set(uid, true, now + VOLUME_PERIOD);
      void this.#countVolumes(uid);
    }
    const counted = this.#counted.get(uid, now) ?? [];
    const of = (isEphemeral: boolean): VolumeStats[] =>
      counted.flatMap(({ volume, stats }) => (volume.isEphemeral === isEphemeral ? [stats] : []));
    return { ephemeral: of(true), persistent: of(false) };
  }

  /** Counts in the background. Never rejects. */
  async #countVolumes(uid: string): Promise<void> {
    this.#counting.add(uid);
    try {
      const counted: CountedVolume[] = [];
      for (const volume of this.#options.volumesOf(uid)) {
        const stats = await this.#measured(() => this.#volume(volume));
        if (stats !== undefined) counted.push({ volume, stats });
      }
      this.#counted.set(uid, counted, Number.POSITIVE_INFINITY);
    } catch (error) {
      this.#options.onFault(error);
    } finally {
      this.#counting.delete(uid);
    }
  }

  /** Undefined if no source reports the usage of the volume. */
  async #volume(volume: MeasuredVolume): Promise<VolumeStats | undefined> {
    const { name, pvcRef } = volume;
    const stats = await this.#use(volume);
    return stats && { ...stats, name, ...(pvcRef && { pvcRef }) };
  }

  async #use({ path, hasOwnFs, stats }: MeasuredVolume): Promise<FsStats | undefined> {
    if (stats === undefined) return hasOwnFs ? this.#fileSystem(path) : this.#folder(path);
    const told = await stats();
    return told && { time: timeOf(this.#options.clock.now()), ...told };
  }

  async #folder(path: string): Promise<FsStats> {
    const { bytes, inodes } = await diskUsage(path);
    return { ...(await this.#size(path)), usedBytes: BigInt(bytes), inodesUsed: BigInt(inodes) };
  }

  async #file(path: string): Promise<FsStats> {
    const { blocks } = await lstat(path);
    return { ...(await this.#size(path)), usedBytes: BigInt(blocks * 512), inodesUsed: 1n };
  }

  /** Counts only files directly in a folder, because containers have their own folders. */
  async #filesIn(path: string): Promise<FsStats> {
    const entries = await readdir(path, { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => lstat(join(path, name)));
    const blocks = (await Promise.all(files)).reduce((sum, file) => sum + file.blocks, 0);
    return { ...(await this.#size(path)), usedBytes: BigInt(blocks * 512), inodesUsed: BigInt(files.length) };
  }

  async #fileSystem(path: string): Promise<FsStats> {
    const info = await fsInfoAt(path);
    const used =
      info === undefined
        ? {}
        : { usedBytes: BigInt(info.used ?? 0), inodesUsed: BigInt(info.inodes - info.inodesFree) };
    return { ...(await this.#size(path)), ...used };
  }

  /** The size of the file system at a path. */
  async #size(path: string): Promise<FsStats> {
    const info = await fsInfoAt(path);
    return { time: timeOf(this.#options.clock.now()), ...(info && fsSize(info)) };
  }

  #logsOf({ namespace, name, uid }: PodReference): string {
    return podLogsDirectory(this.#options.podLogsDirectory, namespace, name, uid);
  }

  /** Undefined if the path does not exist or cannot be measured. */
  async #measured<T extends FsStats>(measure: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await measure();
    } catch (error) {
      if (!isMissing(error)) this.#options.onFault(error);
      return undefined;
    }
  }
}
