import type { Pod } from '#lib/api/types/core.v1.ts';
import type { PodStats } from '../stats/summary.ts';
import type { DiskLayout } from './container-fs-thresholds.ts';
import { diskUsage, type FsStatsType, memoryUsage, requestOf, type StatsOf } from './pod-usage.ts';
import { SIGNALS, type Signal } from './signals.ts';

/** Negative if the first pod is evicted before the second. */
type Compare = (a: Pod, b: Pod) => number;

/** The pods in eviction order for a signal (upstream: buildSignalToRankFunc). */
export function rank(signal: Signal, layout: DiskLayout, pods: readonly Pod[], stats: StatsOf): Pod[] {
  const { resource } = SIGNALS[signal];
  const order = ((): readonly Compare[] => {
    switch (resource) {
      case 'memory':
        return byUsage(stats, (pod, usage) => [memoryUsage(usage), requestOf(pod, resource), requestOf(pod, resource)]);
      case 'pids':
        return [byPriority, byStats(stats, ([a, b]) => descending(processes(a.stats), processes(b.stats)))];
      case 'ephemeral-storage':
      case 'inodes': {
        const measured = MEASURED[layoutName(layout)][fsOf(signal, layout)];
        return byUsage(stats, (pod, usage) => [
          diskUsage(pod, usage, measured, resource),
          requestOf(pod, resource),
          // Upstream also subtracts the byte request from inodes, so a pod that requests storage comes later.
          requestOf(pod, 'ephemeral-storage'),
        ]);
      }
      default:
        return resource satisfies never;
    }
  })();
  return [...pods].sort((a, b) => order.reduce((found, compare) => (found === 0 ? compare(a, b) : found), 0));
}

type Layout = 'one' | 'images' | 'split';

const layoutName = ({ dedicatedImageFs, splitContainerFs }: DiskLayout): Layout => {
  if (!dedicatedImageFs) return 'one';
  return splitContainerFs ? 'split' : 'images';
};

type Fs = 'node' | 'image';

/** The file system of a signal. Containers are on the file system of the node or of images. */
function fsOf(signal: Signal, layout: DiskLayout): Fs {
  if (signal.startsWith('containerfs.')) return layoutName(layout) === 'images' ? 'image' : 'node';
  return signal.startsWith('imagefs.') ? 'image' : 'node';
}

const ALL: readonly FsStatsType[] = ['images', 'root', 'logs', 'localVolumeSource'];

/** The parts of a pod on each file system. */
const MEASURED: Readonly<Record<Layout, Readonly<Record<Fs, readonly FsStatsType[]>>>> = {
  one: { node: ALL, image: ALL },
  images: { node: ['logs', 'localVolumeSource'], image: ['root', 'images'] },
  split: { node: ['logs', 'localVolumeSource', 'root'], image: ['images'] },
};

/** Orders pods by whether usage exceeds the request, then by priority, then by the excess. */
function byUsage(
  stats: StatsOf,
  measure: (pod: Pod, stats: PodStats) => readonly [usage: bigint, request: bigint, base: bigint],
): readonly Compare[] {
  const exceeds = ({ pod, stats: own }: Measured): boolean => {
    const [usage, request] = measure(pod, own);
    return usage > request;
  };
  const excess = ({ pod, stats: own }: Measured): bigint => {
    const [usage, , base] = measure(pod, own);
    return usage - base;
  };
  return [
    byStats(stats, ([a, b]) => trueFirst(exceeds(a), exceeds(b))),
    byPriority,
    byStats(stats, ([a, b]) => descending(excess(a), excess(b))),
  ];
}

interface Measured {
  readonly pod: Pod;
  readonly stats: PodStats;
}

/** A pod without statistics comes first. */
const byStats =
  (stats: StatsOf, compare: (pair: readonly [Measured, Measured]) => number): Compare =>
  (a, b) => {
    const [first, second] = [stats(a), stats(b)];
    if (first === undefined || second === undefined) return trueFirst(first === undefined, second === undefined);
    return compare([
      { pod: a, stats: first },
      { pod: b, stats: second },
    ]);
  };

const byPriority: Compare = (a, b) => (a.spec.priority ?? 0) - (b.spec.priority ?? 0);

const processes = ({ process_stats: stats }: PodStats): bigint => stats?.process_count ?? 0n;

const trueFirst = (a: boolean, b: boolean): number => Number(b) - Number(a);

const descending = (a: bigint, b: bigint): number => (a === b ? 0 : a > b ? -1 : 1);

/** The kinds of garbage collection that may free a file system. */
export type Reclaim = 'containers' | 'images';

const RECLAIMS: Readonly<Record<Layout, Readonly<Record<Fs, readonly Reclaim[]>>>> = {
  one: { node: ['containers', 'images'], image: ['containers', 'images'] },
  images: { node: [], image: ['containers', 'images'] },
  split: { node: ['containers'], image: ['images'] },
};

/** The collections to run before pods are evicted for a signal, in order (upstream: buildSignalToNodeReclaimFuncs). */
export const reclaims = (signal: Signal, layout: DiskLayout): readonly Reclaim[] =>
  SIGNALS[signal].condition === 'DiskPressure' ? RECLAIMS[layoutName(layout)][fsOf(signal, layout)] : [];
