import type { VolumeAttachment } from '#lib/api/types/storage.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printVolumeAttachment. */
export const volumeAttachment: TablePrinter<VolumeAttachment> = {
  columns: named(
    { ...column('Attacher', 'The driver that attaches the volume.'), format: 'name' },
    column('PV', 'The volume.'),
    column('Node', 'The node that the volume is attached to.'),
    column('Attached', 'Whether the volume is attached by now.', 'boolean'),
  ),
  cells(object, now) {
    const { spec, status } = object;
    return [
      nameOf(object),
      spec.attacher,
      spec.source.persistentVolumeName ?? '',
      spec.nodeName,
      status.attached,
      age(object, now),
    ];
  },
};
