import type { CSIDriver, CSINode } from '#lib/api/types/storage.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE, UNSET } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printCSINode. */
export const csiNode: TablePrinter<CSINode> = {
  columns: named(column('Drivers', 'The number of drivers that run on the node.', 'integer')),
  cells: (object, now) => [nameOf(object), object.spec.drivers?.length ?? 0, age(object, now)],
};

/** Upstream's printCSIDriver. */
export const csiDriver: TablePrinter<CSIDriver> = {
  columns: named(
    column('AttachRequired', 'Whether volumes are attached to nodes before they are mounted.', 'boolean'),
    column('PodInfoOnMount', 'Whether the driver is told of the pod at a mount.', 'boolean'),
    column('StorageCapacity', 'Whether the driver says how much it can still hold.', 'boolean'),
    column('TokenRequests', 'The audiences of the tokens that the driver is given.'),
    column('RequiresRepublish', 'Whether mounts are repeated from time to time.', 'boolean'),
    column('Modes', 'Whether volumes outlive their pods.'),
  ),
  cells(object, now) {
    const { spec } = object;
    return [
      nameOf(object),
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
      spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? UNSET,
      spec.requiresRepublish ?? false,
      spec.volumeLifecycleModes?.join(',') || NONE,
      age(object, now),
    ];
  },
};
