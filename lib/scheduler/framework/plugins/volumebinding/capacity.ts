import { askedOf, specOf, type NodeLabels } from '#lib/component-helpers/storage/volume/match.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { matches, selectorFromObject, type LabelSelector } from '#lib/machinery/labels/selector.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { parseQuantity, quantityValue } from '#lib/machinery/resource/quantity.ts';
import { at, flag, has, text } from '#lib/machinery/unstructured.ts';
import type { Handle } from '../../interface.ts';

/** How large a volume a CSIStorageCapacity has room for, in bytes; undefined where it does not tell. */
export function volumeLimit(capacity: JsonObject): bigint | undefined {
  const limit = text(capacity, 'maximumVolumeSize') || text(capacity, 'capacity');
  return limit === '' ? undefined : quantityValue(parseQuantity(limit));
}

/** Whether there is room for the claim within reach of the node, as far as the class's driver tells of that at all. */
export function hasEnoughCapacity(
  handle: Handle,
  claim: JsonObject,
  storageClass: JsonObject,
  labels: NodeLabels,
): boolean {
  if (!has(at(specOf(claim), 'resources', 'requests'), 'storage')) return true;
  const driver = handle.lister('csidrivers').get('', text(storageClass, 'provisioner'));
  if (driver === undefined || flag(specOf(driver), 'storageCapacity') !== true) return true;
  const [name, size] = [nameOf(storageClass), quantityValue(askedOf(claim))];
  for (const capacity of handle.lister('csistoragecapacities').list())
    if (
      text(capacity, 'storageClassName') === name &&
      (volumeLimit(capacity) ?? -1n) >= size &&
      reaches(labels, capacity)
    )
      return true;
  return false;
}

/** Selectors that were parsed: each is asked of many nodes. */
const selectors = new WeakMap<JsonObject, LabelSelector>();

/** Without a topology it is within reach of no node. */
function reaches(labels: NodeLabels, capacity: JsonObject): boolean {
  const selector = selectors.get(capacity) ?? selectorFromObject(objectAt(capacity, 'nodeTopology'));
  selectors.set(capacity, selector);
  return matches(selector, labels);
}
