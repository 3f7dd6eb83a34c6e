import type { Pod } from '#lib/api/types/core.v1.ts';
import { hasPodLevelResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { canonicalQuantity, compareQuantities } from '#lib/machinery/resource/quantities.ts';
import type { ContainerStats, PodStats } from '../stats/summary.ts';
import { bytes, type Observations, quantityOf } from './observations.ts';
import type { Threshold } from './parse-threshold-config.ts';
import { memoryUsage } from './pod-usage.ts';
import { type EvictionResource, SIGNALS } from './signals.ts';

/** The facts for the message of an eviction. */
export interface EvictionFacts {
  /** The resource to reclaim. */
  readonly resource: EvictionResource;
  /** The thresholds that are met. */
  readonly thresholds: readonly Threshold[];
  readonly observations: Observations;
}

/** The message of an eviction: the threshold, and the parts of the pod that exceed their requests (upstream: evictionMessage). */
export function evictionMessage(pod: Pod, stats: PodStats | undefined, facts: EvictionFacts): string {
  const { resource } = facts;
  const start = `The node was low on resource: ${resource}. ${thresholdText(facts)}`;
  if (stats === undefined) return start;
  const containers = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])];
  const texts = stats.containers.map((one) => {
    const container = containers.find(({ name }) => name === one.name);
    const usage = usageOf(one, resource);
    if (container === undefined || usage === undefined) return '';
    const request = ownField(container.resources.requests, resource) ?? '0';
    if (compareQuantities(usage, request) <= 0) return '';
    return consumption(`Container ${one.name}`, usage, request, resource);
  });
  return start + podText(pod, stats, resource) + texts.join('');
}

function thresholdText({ resource, thresholds, observations }: EvictionFacts): string {
  for (const { signal, value } of thresholds) {
    const observed = observations.get(signal);
    if (SIGNALS[signal].resource !== resource || observed === undefined) continue;
    const quantity = canonicalQuantity(quantityOf(value, observed.capacity));
    return `Threshold quantity: ${quantity}, available: ${observed.available}. `;
  }
  return '';
}

function podText({ metadata, spec }: Pod, stats: PodStats, resource: EvictionResource): string {
  const request = ownField(spec.resources?.requests, resource);
  if (resource !== 'memory' || request === undefined || stats.memory === undefined || !hasPodLevelResources(spec))
    return '';
  return consumption(`Pod ${metadata.name ?? ''}`, bytes(memoryUsage(stats)), request, resource);
}

const consumption = (name: string, usage: string, request: string, resource: EvictionResource): string =>
  `${name} was using ${usage}, request is ${canonicalQuantity(request)}, has larger consumption of ${resource}. `;

function usageOf({ rootfs, logs, memory }: ContainerStats, resource: EvictionResource): string | undefined {
  if (resource === 'memory') return memory?.workingSetBytes === undefined ? undefined : bytes(memory.workingSetBytes);
  if (resource !== 'ephemeral-storage' || rootfs?.usedBytes === undefined || logs?.usedBytes === undefined)
    return undefined;
  return bytes(rootfs.usedBytes + logs.usedBytes);
}
