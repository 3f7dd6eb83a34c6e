import { objectAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, flag, text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printVolumeAttachment. */
export const volumeAttachment: TablePrinter = {
  columns: named(
    { ...column('Attacher', 'The driver that attaches the volume.'), format: 'name' },
    column('PV', 'The volume.'),
    column('Node', 'The node that the volume is attached to.'),
    column('Attached', 'Whether the volume is attached by now.', 'boolean'),
  ),
  cells(object, now) {
    const spec = objectAt(object, 'spec');
    return [
      nameOf(object),
      text(spec, 'attacher'),
      text(at(spec, 'source'), 'persistentVolumeName'),
      text(spec, 'nodeName'),
      flag(objectAt(object, 'status'), 'attached') ?? false,
      age(object, now),
    ];
  },
};
