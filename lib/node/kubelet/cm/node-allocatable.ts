import { mask, NOTHING, sum, type Usage, withoutZeros } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { wholeValue } from '#lib/machinery/resource/quantities.ts';
import { type Thresholds, thresholdQuantity } from '../eviction/thresholds.ts';

/** Resources that are not available to pods (upstream: NodeAllocatableConfig). */
export interface NodeAllocatableConfig {
  readonly systemReserved: Usage;
  readonly kubeReserved: Usage;
  readonly evictionHard: Thresholds;
}

/** The reserved resources of a node (upstream: GetNodeAllocatableReservation). */
export function nodeAllocatableReservation(config: NodeAllocatableConfig, capacity: Usage): Usage {
  const parts = [config.systemReserved, config.kubeReserved, hardEvictionReservation(config.evictionHard, capacity)];
  return withoutZeros(mask(parts.reduce(sum, NOTHING), capacity.keys()));
}

/** Memory and disk that hard eviction keeps free. */
function hardEvictionReservation(thresholds: Thresholds, capacity: Usage): Usage {
  const reserved = new Map<string, string>();
  for (const [signal, resource] of [
    ['memory.available', 'memory'],
    ['nodefs.available', 'ephemeral-storage'],
  ] as const) {
    const threshold = thresholds[signal];
    if (threshold === undefined) continue;
    reserved.set(resource, thresholdQuantity(threshold, Number(wholeValue(capacity.get(resource) ?? '0'))));
  }
  return reserved;
}
