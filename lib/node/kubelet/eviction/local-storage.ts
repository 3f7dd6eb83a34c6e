import type { Pod } from '#lib/api/types/core.v1.ts';
import { podResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { quote } from '#lib/machinery/go.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { canonicalQuantity, compareQuantities, signOf } from '#lib/machinery/resource/quantities.ts';
import type { PodStats } from '../stats/summary.ts';
import type { DiskLayout } from './container-fs-thresholds.ts';
import { bytes } from './observations.ts';

/** A local storage limit that a pod exceeds, with the name of upstream's metric and the message. */
export interface ExceededLimit {
  readonly signal: 'emptydirfs.limit' | 'ephemeralpodfs.limit' | 'ephemeralcontainerfs.limit';
  readonly message: string;
}

/** The local storage limits that a pod exceeds. The first one is the reason for its eviction (upstream: localStorageEviction). */
export function exceededLimits(pod: Pod, stats: PodStats, layout: DiskLayout): ExceededLimit[] {
  return [emptyDirLimit(pod, stats), podLimit(pod, stats), containerLimit(pod, stats, layout)].flatMap(
    (exceeded) => exceeded ?? [],
  );
}

function emptyDirLimit({ spec }: Pod, { volume = [] }: PodStats): ExceededLimit | undefined {
  const used = new Map(volume.map(({ name = '', usedBytes = 0n }) => [name, bytes(usedBytes)]));
  for (const { name, emptyDir } of spec.volumes ?? []) {
    const [usage, limit] = [used.get(name), emptyDir?.sizeLimit];
    if (usage === undefined || limit === undefined || signOf(limit) <= 0) continue;
    if (compareQuantities(usage, limit) <= 0) continue;
    const message = `Usage of EmptyDir volume ${quote(name)} exceeds the limit ${quote(canonicalQuantity(limit))}. `;
    return { signal: 'emptydirfs.limit', message };
  }
  return undefined;
}

function podLimit(pod: Pod, stats: PodStats): ExceededLimit | undefined {
  const limit = podResources(pod, 'limits').get('ephemeral-storage');
  const usage = bytes(stats['ephemeral-storage']?.usedBytes ?? 0n);
  if (limit === undefined || compareQuantities(usage, limit) <= 0) return undefined;
  return {
    signal: 'ephemeralpodfs.limit',
    message: `Pod ephemeral local storage usage exceeds the total limit of containers ${canonicalQuantity(limit)}. `,
  };
}

function containerLimit({ spec }: Pod, stats: PodStats, layout: DiskLayout): ExceededLimit | undefined {
  for (const { name, logs, rootfs } of stats.containers) {
    const container = (spec.containers ?? []).find((one) => one.name === name);
    const limit = ownField(container?.resources.limits, 'ephemeral-storage');
    if (limit === undefined || signOf(limit) === 0) continue;
    const layer = layout.dedicatedImageFs ? 0n : (rootfs?.usedBytes ?? 0n);
    if (compareQuantities(bytes((logs?.usedBytes ?? 0n) + layer), limit) <= 0) continue;
    const text = quote(canonicalQuantity(limit));
    return {
      signal: 'ephemeralcontainerfs.limit',
      message: `Container ${name} exceeded its local ephemeral storage limit ${text}. `,
    };
  }
  return undefined;
}
