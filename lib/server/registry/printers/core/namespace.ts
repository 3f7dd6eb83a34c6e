import type { Namespace } from '#lib/api/types/core.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printNamespace. */
export const namespace: TablePrinter<Namespace> = {
  columns: named(column('Status', 'Whether the namespace is active or terminating.')),
  cells: (object, now) => [nameOf(object), object.status.phase ?? '', age(object, now)],
};
