import type { ResourceSlice } from '#lib/api/types/resource.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printResourceSlice. */
export const resourceSlice: TablePrinter<ResourceSlice> = {
  columns: named(
    column('Node', 'The node that has the devices.'),
    column('Driver', 'The driver that manages the devices.'),
    column('Pool', 'The pool that the slice is a part of.'),
  ),
  cells(object, now) {
    const { nodeName = '', driver, pool } = object.spec;
    return [nameOf(object), nodeName, driver, pool.name, age(object, now)];
  },
};
