import type { ResourceQuota, ResourceQuotaStatus } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printResourceQuota. */
export const resourceQuota: TablePrinter<ResourceQuota> = {
  columns: named(
    column('Request', 'What is used of what may be requested or created.'),
    column('Limit', 'What is used of the sum of limits.'),
  ),
  cells: (object, now) => [
    nameOf(object),
    usage(object.status, (resource) => !resource.startsWith('limits.')),
    usage(object.status, (resource) => resource.startsWith('limits.')),
    age(object, now),
  ],
};

function usage({ hard = {}, used }: ResourceQuotaStatus, wanted: (resource: string) => boolean): string {
  const limits = Object.entries(hard).filter(([resource]) => wanted(resource));
  return limits.map(([resource, limit]) => `${resource}: ${ownField(used, resource) || '0'}/${limit}`).join(', ');
}
