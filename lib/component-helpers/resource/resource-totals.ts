import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { items } from '#lib/machinery/unstructured.ts';
import { compareQuantities, quantities, sumOfQuantities } from '#lib/machinery/resource/quantities.ts';
import { isSidecar } from './sidecar.ts';

/** Quantities by resource name. */
export type ResourceTotals = Map<string, string>;

/**
 * What a pod's containers need together: the sum of those that run side by side, and for each resource at least what the most
 * demanding init container needs beside the sidecars that were started before it.
 */
export function aggregateContainers(spec: JsonObject, list: 'requests' | 'limits'): ResourceTotals {
  const total: ResourceTotals = new Map();
  const sidecars: ResourceTotals = new Map();
  const initial: ResourceTotals = new Map();
  for (const container of items(spec, 'containers')) add(total, own(container, list));
  for (const container of items(spec, 'initContainers')) {
    if (isSidecar(container)) {
      add(total, own(container, list));
      add(sidecars, own(container, list));
      atLeast(initial, sidecars);
    } else {
      const peak = own(container, list);
      add(peak, sidecars);
      atLeast(initial, peak);
    }
  }
  atLeast(total, initial);
  return total;
}

function own(container: JsonObject, list: string): ResourceTotals {
  return new Map(quantities(objectAt(container, 'resources'), list));
}

function add(total: ResourceTotals, more: ResourceTotals): void {
  for (const [name, value] of more) total.set(name, sumOfQuantities(total.get(name) ?? '0', value));
}

function atLeast(total: ResourceTotals, floor: ResourceTotals): void {
  for (const [name, value] of floor) {
    const current = total.get(name);
    if (current === undefined || compareQuantities(value, current) > 0) total.set(name, value);
  }
}
