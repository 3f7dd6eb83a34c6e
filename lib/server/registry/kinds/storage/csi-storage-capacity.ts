import type { CSIStorageCapacity } from '#lib/api/types/storage.v1.ts';
import { canonicalQuantity, signOf } from '#lib/machinery/resource/quantities.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import { type FieldError, FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { NEGATIVE } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import { expressionWarnings, REPLACED_NODE_LABELS } from '../shared/node-labels.ts';
import { immutable } from '../shared/semantic.ts';
import { objectName } from '../shared/validate.ts';

const ROOT = FieldPath.of('');
const TOPOLOGY = FieldPath.of('nodeTopology');

function validate(capacity: CSIStorageCapacity, old?: CSIStorageCapacity): FieldError[] {
  const allowInvalidValues = validateLabelSelector(old?.nodeTopology, TOPOLOGY).length > 0;
  const amount = capacity.capacity;
  const negative = amount !== undefined && signOf(amount) < 0;
  return [
    ...validateLabelSelector(capacity.nodeTopology, TOPOLOGY, { allowInvalidValues }),
    ...objectName(capacity.storageClassName, FieldPath.of('storageClassName')),
    ...(negative ? [invalid('capacity', canonicalQuantity(amount), NEGATIVE)] : []),
  ];
}

/** Upstream's GetWarningsForCSIStorageCapacity. */
function warnings(capacity: CSIStorageCapacity): string[] {
  const topology = capacity.nodeTopology;
  const labels = sortedEntries(topology?.matchLabels).flatMap(([key]) => {
    const message = REPLACED_NODE_LABELS.get(key);
    return message === undefined ? [] : [`${TOPOLOGY.child('matchLabels', key)}: ${message}`];
  });
  return [...expressionWarnings(topology, TOPOLOGY), ...labels];
}

/** Upstream's pkg/registry/storage/csistoragecapacity. */
export const csiStorageCapacityStrategy: KindStrategy<CSIStorageCapacity> = {
  allowUnconditionalUpdate: false,
  validate: (capacity) => validate(capacity),
  warnings,
  validateUpdate: (capacity, old) => [
    ...validate(capacity, old),
    ...immutable(capacity, old, 'nodeTopology', ROOT, 'storage.v1.CSIStorageCapacity'),
    ...immutable(capacity, old, 'storageClassName', ROOT, 'storage.v1.CSIStorageCapacity'),
  ],
};
