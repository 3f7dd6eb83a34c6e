import type { Lease } from '#lib/api/types/coordination.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printLease. */
export const lease: TablePrinter<Lease> = {
  columns: named(column('Holder', 'Who holds the lease.')),
  cells: (object, now) => [nameOf(object), object.spec.holderIdentity ?? '', age(object, now)],
};
