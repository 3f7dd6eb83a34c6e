import { nameOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printRuntimeClass. */
export const runtimeClass: TablePrinter = {
  columns: named(column('Handler', "What the node's container runtime calls it.")),
  cells: (object, now) => [nameOf(object), text(object, 'handler'), age(object, now)],
};
