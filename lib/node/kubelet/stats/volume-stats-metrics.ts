import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import type { PodStorage } from './cri-stats-provider.ts';
import type { FsStats, VolumeStats } from './summary.ts';

/** The sources for metrics of claims. */
export interface VolumeStatsMetricsOptions {
  /** Uids of the pods of the node. */
  uids(): readonly string[];
  readonly storage: Pick<PodStorage, 'volumes'>;
}

const FAMILIES: readonly (readonly [key: Exclude<keyof FsStats, 'time'>, name: string, help: string])[] = [
  ['availableBytes', 'available_bytes', 'Number of available bytes in the volume'],
  ['capacityBytes', 'capacity_bytes', 'Capacity in bytes of the volume'],
  ['inodes', 'inodes', 'Maximum number of inodes in the volume'],
  ['inodesFree', 'inodes_free', 'Number of free inodes in the volume'],
  ['inodesUsed', 'inodes_used', 'Number of used inodes in the volume'],
  ['usedBytes', 'used_bytes', 'Number of used bytes in the volume'],
];

/** The usage of the volumes of claims, one for each claim (upstream: volumeStatsCollector). */
export class VolumeStatsMetrics implements Collector {
  readonly #options: VolumeStatsMetricsOptions;

  constructor(options: VolumeStatsMetricsOptions) {
    this.#options = options;
  }

  async collect(): Promise<readonly Family[]> {
    const { uids, storage } = this.#options;
    const measured = await Promise.all(uids().map((uid) => storage.volumes(uid)));
    const claims = new Map<string, VolumeStats>();
    for (const stats of measured.flatMap(({ persistent }) => persistent)) {
      const key = `${stats.pvcRef?.namespace ?? ''}/${stats.pvcRef?.name ?? ''}`;
      if (stats.pvcRef !== undefined && !claims.has(key)) claims.set(key, stats);
    }
    return FAMILIES.map(([key, name, help]) => ({
      name: `kubelet_volume_stats_${name}`,
      help,
      type: 'gauge',
      samples: [...claims.values()].map((stats) => ({
        labels: { namespace: stats.pvcRef?.namespace ?? '', persistentvolumeclaim: stats.pvcRef?.name ?? '' },
        value: Number(stats[key] ?? 0),
      })),
    }));
  }
}
