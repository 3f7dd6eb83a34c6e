import type { Container, PodSpec } from '#lib/api/types/core.v1.ts';
import { compareQuantities, sumOfQuantities } from '#lib/machinery/resource/quantities.ts';
import { type Usage, usageOf } from './resource-list.ts';
import { isSidecar } from './sidecar.ts';

/** Quantities by resource name. */
export type ResourceTotals = Map<string, string>;

/**
 * The total resources of a pod's containers. For each resource, this is the sum of the concurrent containers. It is at least the need of
 * the largest init container and the sidecars that started before it.
 */
export function aggregateContainers(
  { containers, initContainers = [] }: PodSpec,
  list: 'requests' | 'limits',
): ResourceTotals {
  const total: ResourceTotals = new Map();
  const sidecars: ResourceTotals = new Map();
  const initial: ResourceTotals = new Map();
  for (const container of containers ?? []) add(total, own(container, list));
  for (const container of initContainers) {
    if (isSidecar(container)) {
      add(total, own(container, list));
      add(sidecars, own(container, list));
      atLeast(initial, sidecars);
    } else {
      const peak = new Map(own(container, list));
      add(peak, sidecars);
      atLeast(initial, peak);
    }
  }
  atLeast(total, initial);
  return total;
}

const own = ({ resources }: Container, list: 'requests' | 'limits'): Usage => usageOf(resources?.[list]);

function add(total: ResourceTotals, more: Usage): void {
  for (const [name, value] of more) total.set(name, sumOfQuantities(total.get(name) ?? '0', value));
}

function atLeast(total: ResourceTotals, floor: ResourceTotals): void {
  for (const [name, value] of floor) {
    const current = total.get(name);
    if (current === undefined || compareQuantities(value, current) > 0) total.set(name, value);
  }
}
