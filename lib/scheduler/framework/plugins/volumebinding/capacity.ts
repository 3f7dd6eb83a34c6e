import type { PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import type { CSIStorageCapacity, StorageClass } from '#lib/api/types/storage.v1.ts';
import { askedOf, type NodeLabels } from '#lib/helpers/component-helpers/storage/volume/match.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { type LabelSelector, matches, selectorFromObject } from '#lib/machinery/labels/selector.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { parseQuantity, quantityValue } from '#lib/machinery/resource/quantity.ts';
import type { Handle } from '../../interface.ts';

/** The size in bytes of the largest volume that fits in a CSIStorageCapacity; undefined if it gives no limit. */
export function volumeLimit({ maximumVolumeSize, capacity }: CSIStorageCapacity): bigint | undefined {
  const limit = maximumVolumeSize ?? capacity;
  return limit === undefined ? undefined : quantityValue(parseQuantity(limit));
}

/** Whether storage reachable from the node has room for the claim; true if the class's driver does not report capacities. */
export function hasEnoughCapacity(
  handle: Handle,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  labels: NodeLabels,
): boolean {
  if (ownField(claim.spec.resources.requests, 'storage') === undefined) return true;
  const driver = handle.lister('csidrivers').get('', storageClass.provisioner);
  if (driver?.spec.storageCapacity !== true) return true;
  const [name, size] = [nameOf(storageClass), quantityValue(askedOf(claim))];
  for (const capacity of handle.lister('csistoragecapacities').list())
    if (capacity.storageClassName === name && (volumeLimit(capacity) ?? -1n) >= size && reaches(labels, capacity))
      return true;
  return false;
}

/** Caches parsed selectors, because each is matched against many nodes. */
const selectors = new WeakMap<CSIStorageCapacity, LabelSelector>();

/** Whether the node can reach the storage. Storage without a topology is unreachable. */
function reaches(labels: NodeLabels, capacity: CSIStorageCapacity): boolean {
  const selector = selectors.get(capacity) ?? selectorFromObject(capacity.nodeTopology);
  selectors.set(capacity, selector);
  return matches(selector, labels);
}
