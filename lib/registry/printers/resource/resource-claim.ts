import { arrayAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printResourceClaim. */
export const resourceClaim: TablePrinter = {
  columns: named(column('State', 'Whether the claim is pending, allocated, reserved or deleted.')),
  cells: (object, now) => [nameOf(object), states(object).join(','), age(object, now)],
};

function states(object: JsonObject): string[] {
  const status = objectAt(object, 'status');
  const deleted = isDeleting(object) ? ['deleted'] : [];
  if (objectAt(status, 'allocation') === undefined) return isDeleting(object) ? deleted : ['pending'];
  const reserved = arrayAt(status, 'reservedFor').length === 0 ? [] : ['reserved'];
  return [...deleted, 'allocated', ...reserved];
}
