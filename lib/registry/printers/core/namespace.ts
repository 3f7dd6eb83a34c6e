import { objectAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printNamespace. */
export const namespace: TablePrinter = {
  columns: named(column('Status', 'Whether the namespace is active or terminating.')),
  cells: (object, now) => [nameOf(object), text(objectAt(object, 'status'), 'phase'), age(object, now)],
};
