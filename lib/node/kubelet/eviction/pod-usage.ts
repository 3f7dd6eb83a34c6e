import type { Pod, Volume } from '#lib/api/types/core.v1.ts';
import { hasPodLevelResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { aggregateContainers } from '#lib/helpers/component-helpers/resource/resource-totals.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { signOf, sumOfQuantities, wholeValue } from '#lib/machinery/resource/quantities.ts';
import { isLocalEphemeral } from '../stats/measured-volumes.ts';
import type { FsStats, PodStats } from '../stats/summary.ts';
import type { EvictionResource } from './signals.ts';

/** The parts of a pod's disk usage. `images` are not measured, like upstream. */
export type FsStatsType = 'localVolumeSource' | 'logs' | 'root' | 'images';

/** The statistics of a pod, or undefined if there are none. */
export type StatsOf = (pod: Pod) => PodStats | undefined;

/** The statistics in a summary by pod. */
export function statsOf(pods: readonly PodStats[]): StatsOf {
  const byUid = new Map(pods.map((stats) => [stats.podRef.uid, stats]));
  return ({ metadata: { uid = '' } }) => byUid.get(uid);
}

/**
 * The request of a pod (upstream: GetResourceRequestQuantity). It uses the pod-level request if there is one, and adds the overhead to a
 * request.
 */
export function requestOf({ spec }: Pod, resource: EvictionResource): bigint {
  const asWhole = resource === 'memory' ? ownField(spec.resources?.requests, resource) : undefined;
  const own = hasPodLevelResources(spec) ? asWhole : aggregateContainers(spec, 'requests').get(resource);
  if (own === undefined || signOf(own) === 0) return 0n;
  return wholeValue(sumOfQuantities(own, ownField(spec.overhead, resource) ?? '0'));
}

/** The memory usage of a pod in bytes. */
export const memoryUsage = ({ memory }: PodStats): bigint => memory?.workingSetBytes ?? 0n;

/** The usage of these parts of a pod, in bytes or inodes (upstream: podDiskUsage). */
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

/** Whether a volume uses the node's disk. */
const isLocal = (volume: Volume): boolean => volume.hostPath !== undefined || isLocalEphemeral(volume);
