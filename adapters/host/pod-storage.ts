import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PodStorage } from '#lib/kubelet/stats/cri-stats-provider.ts';
import { fsSize } from '#lib/kubelet/stats/cri-usage.ts';
import type { MeasuredVolume } from '#lib/kubelet/stats/measured-volumes.ts';
import type { FsStats, PodReference, VolumeStats } from '#lib/kubelet/stats/summary.ts';
import { podLogsDirectory } from '#lib/kubelet/kuberuntime/log-paths.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { Expiring } from '#lib/machinery/expiring.ts';
import { timeText } from '#lib/registry/rest/meta.ts';
import { diskUsage } from './disk-usage.ts';
import { fsInfoAt } from './machine-stats.ts';
import { isMissing } from './path-error.ts';

/** Milliseconds for which a pod's volumes are not counted again (upstream: volumeStatsAggPeriod). */
const VOLUME_PERIOD = 60_000;
/** Pods whose counts are kept. */
const MAX_PODS = 1024;

/** The places of pods' files. */
export interface HostPodStorageOptions {
  readonly clock: Clock;
  /** The folder of the agent, in which `pods/UID` is. */
  readonly rootDirectory: string;
  readonly podLogsDirectory: string;
  /** As `measuredVolumes` gives them. */
  volumesOf(uid: string): readonly MeasuredVolume[];
  /** Something cannot be measured, and is left out. */
  onFault(error: unknown): void;
}

/** Measures what pods use of the node's disk. */
export class HostPodStorage implements PodStorage {
  readonly #options: HostPodStorageOptions;
  readonly #volumes = new Expiring<Promise<readonly (readonly [MeasuredVolume, VolumeStats])[]>>(MAX_PODS);

  constructor(options: HostPodStorageOptions) {
    this.#options = options;
  }

  containerLogs(pod: PodReference, container: string): Promise<FsStats | undefined> {
    return this.#measured(() => this.#folder(join(this.#logsOf(pod), container)));
  }

  /** Containers have folders in it, the pod's own logs are files. */
  async podLogs(pod: PodReference): Promise<FsStats | undefined> {
    return this.#measured(() => this.#file(this.#logsOf(pod)));
  }

  etcHosts(uid: string): Promise<FsStats | undefined> {
    return this.#measured(() => this.#file(join(this.#options.rootDirectory, 'pods', uid, 'etc-hosts')));
  }

  async volumes(uid: string): ReturnType<PodStorage['volumes']> {
    const now = this.#options.clock.monotonic();
    const held = this.#volumes.get(uid, now);
    const counting = held ?? this.#countVolumes(uid);
    if (held === undefined) this.#volumes.set(uid, counting, now + VOLUME_PERIOD);
    const counted = await counting;
    const of = (isEphemeral: boolean): VolumeStats[] =>
      counted.flatMap(([volume, stats]) => (volume.isEphemeral === isEphemeral ? [stats] : []));
    return { ephemeral: of(true), persistent: of(false) };
  }

  async #countVolumes(uid: string): Promise<readonly (readonly [MeasuredVolume, VolumeStats])[]> {
    const counted: (readonly [MeasuredVolume, VolumeStats])[] = [];
    for (const volume of this.#options.volumesOf(uid)) {
      const { name, path, pvcRef, hasOwnFs } = volume;
      const stats = await this.#measured(() => (hasOwnFs ? this.#fileSystem(path) : this.#folder(path)));
      if (stats !== undefined) counted.push([volume, { ...stats, name, ...(pvcRef && { pvcRef }) }]);
    }
    return counted;
  }

  async #folder(path: string): Promise<FsStats> {
    const { bytes, inodes } = await diskUsage(path);
    return { ...(await this.#size(path)), usedBytes: BigInt(bytes), inodesUsed: BigInt(inodes) };
  }

  async #file(path: string): Promise<FsStats> {
    const { blocks } = await lstat(path);
    return { ...(await this.#size(path)), usedBytes: BigInt(blocks * 512), inodesUsed: 1n };
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
    return { time: timeText(new Date(this.#options.clock.now())), ...(info && fsSize(info)) };
  }

  #logsOf({ namespace, name, uid }: PodReference): string {
    return podLogsDirectory(this.#options.podLogsDirectory, namespace, name, uid);
  }

  /** Undefined where there is nothing, or where it cannot be measured. */
  async #measured(measure: () => Promise<FsStats>): Promise<FsStats | undefined> {
    try {
      return await measure();
    } catch (error) {
      if (!isMissing(error)) this.#options.onFault(error);
      return undefined;
    }
  }
}
