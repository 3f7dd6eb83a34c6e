import type { ResourceClaim } from '#lib/api/types/resource.v1.ts';
import { isDeleting, nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printResourceClaim. */
export const resourceClaim: TablePrinter<ResourceClaim> = {
  columns: named(column('State', 'Whether the claim is pending, allocated, reserved or deleted.')),
  cells: (object, now) => [nameOf(object), states(object).join(','), age(object, now)],
};

function states(object: ResourceClaim): string[] {
  const { allocation, reservedFor = [] } = object.status;
  const deleted = isDeleting(object) ? ['deleted'] : [];
  if (allocation === undefined) return isDeleting(object) ? deleted : ['pending'];
  const reserved = reservedFor.length === 0 ? [] : ['reserved'];
  return [...deleted, 'allocated', ...reserved];
}
