import { objectAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printResourceSlice. */
export const resourceSlice: TablePrinter = {
  columns: named(
    column('Node', 'The node that has the devices.'),
    column('Driver', 'The driver that manages the devices.'),
    column('Pool', 'The pool that the slice is a part of.'),
  ),
  cells(object, now) {
    const spec = objectAt(object, 'spec');
    return [
      nameOf(object),
      text(spec, 'nodeName'),
      text(spec, 'driver'),
      text(at(spec, 'pool'), 'name'),
      age(object, now),
    ];
  },
};
