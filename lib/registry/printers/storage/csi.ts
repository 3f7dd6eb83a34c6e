import { arrayAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { flag, has, items, text, texts } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE, UNSET } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printCSINode. */
export const csiNode: TablePrinter = {
  columns: named(column('Drivers', 'The number of drivers that run on the node.', 'integer')),
  cells: (object, now) => [nameOf(object), arrayAt(objectAt(object, 'spec'), 'drivers').length, age(object, now)],
};

/** Upstream's printCSIDriver. */
export const csiDriver: TablePrinter = {
  columns: named(
    column('AttachRequired', 'Whether volumes are attached to nodes before they are mounted.', 'boolean'),
    column('PodInfoOnMount', 'Whether the driver is told of the pod at a mount.', 'boolean'),
    column('StorageCapacity', 'Whether the driver says how much it can still hold.', 'boolean'),
    column('TokenRequests', 'The audiences of the tokens that the driver is given.'),
    column('RequiresRepublish', 'Whether mounts are repeated from time to time.', 'boolean'),
    column('Modes', 'Whether volumes outlive their pods.'),
  ),
  cells(object, now) {
    const spec = objectAt(object, 'spec');
    return [
      nameOf(object),
      flag(spec, 'attachRequired') ?? true,
      flag(spec, 'podInfoOnMount') ?? false,
      flag(spec, 'storageCapacity') ?? false,
      audiences(spec),
      flag(spec, 'requiresRepublish') ?? false,
      texts(spec, 'volumeLifecycleModes').join(',') || NONE,
      age(object, now),
    ];
  },
};

function audiences(spec: JsonObject | undefined): string {
  if (!has(spec, 'tokenRequests')) return UNSET;
  const requests = items(spec, 'tokenRequests');
  return requests.map((request) => text(request, 'audience')).join(',');
}
