import type { Pod, Volume } from '#lib/api/types/core.v1.ts';
import { hasPodLevelResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { aggregateContainers } from '#lib/helpers/component-helpers/resource/resource-totals.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { signOf, sumOfQuantities, wholeValue } from '#lib/machinery/resource/quantities.ts';
import { isLocalEphemeral } from '../stats/measured-volumes.ts';
import type { FsStats, PodStats } from '../stats/summary.ts';
import type { EvictionResource } from './signals.ts';

/** The parts of a pod's use of disks. `images` are not measured, as upstream does not. */
export type FsStatsType = 'localVolumeSource' | 'logs' | 'root' | 'images';

/** The statistics of a pod; undefined where there are none. */
export type StatsOf = (pod: Pod) => PodStats | undefined;

/** The statistics of a summary by pod. */
export function statsOf(pods: readonly PodStats[]): StatsOf {
  const byUid = new Map(pods.map((stats) => [stats.podRef.uid, stats]));
  return ({ metadata: { uid = '' } }) => byUid.get(uid);
}

/** The request of a pod (upstream: GetResourceRequestQuantity): of the pod as a whole where it has one, and its overhead on top of a request. */
export function requestOf({ spec }: Pod, resource: EvictionResource): bigint {
  const asWhole = resource === 'memory' ? ownField(spec.resources?.requests, resource) : undefined;
  const own = hasPodLevelResources(spec) ? asWhole : aggregateContainers(spec, 'requests').get(resource);
  if (own === undefined || signOf(own) === 0) return 0n;
  return wholeValue(sumOfQuantities(own, ownField(spec.overhead, resource) ?? '0'));
}

/** The bytes of memory that a pod uses. */
export const memoryUsage = ({ memory }: PodStats): bigint => memory?.workingSetBytes ?? 0n;

/** The bytes, or inodes, that these parts of a pod use (upstream: podDiskUsage). */
export function diskUsage(
  pod: Pod,
  stats: PodStats,
  measured: readonly FsStatsType[],
  resource: EvictionResource,
): bigint {
  const local = new Set((pod.spec.volumes ?? []).filter(isLocal).map(({ name }) => name));
  const parts = [
    ...(measured.includes('root') ? stats.containers.map(({ rootfs }) => rootfs) : []),
    ...(measured.includes('logs') ? stats.containers.map(({ logs }) => logs) : []),
    ...(measured.includes('localVolumeSource') ? (stats.volume ?? []).filter(({ name = '' }) => local.has(name)) : []),
  ];
  return parts.reduce((sum, part) => sum + usedOf(part, resource), 0n);
}

const usedOf = (stats: FsStats | undefined, resource: EvictionResource): bigint =>
  (resource === 'inodes' ? stats?.inodesUsed : stats?.usedBytes) ?? 0n;

/** Whether a volume takes of the node's disk. */
const isLocal = (volume: Volume): boolean => volume.hostPath !== undefined || isLocalEphemeral(volume);
