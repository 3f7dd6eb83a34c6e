import { objectAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printLease. */
export const lease: TablePrinter = {
  columns: named(column('Holder', 'Who holds the lease.')),
  cells: (object, now) => [nameOf(object), text(objectAt(object, 'spec'), 'holderIdentity'), age(object, now)],
};
