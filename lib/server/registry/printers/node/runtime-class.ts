import type { RuntimeClass } from '#lib/api/types/node.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printRuntimeClass. */
export const runtimeClass: TablePrinter<RuntimeClass> = {
  columns: named(column('Handler', "What the node's container runtime calls it.")),
  cells: (object, now) => [nameOf(object), object.handler, age(object, now)],
};
