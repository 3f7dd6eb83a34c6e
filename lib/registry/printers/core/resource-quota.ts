import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { entries } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, textOr } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printResourceQuota. */
export const resourceQuota: TablePrinter = {
  columns: named(
    column('Request', 'What is used of what may be requested or created.'),
    column('Limit', 'What is used of the sum of limits.'),
  ),
  cells: (object, now) => [
    nameOf(object),
    usage(object, (resource) => !resource.startsWith('limits.')),
    usage(object, (resource) => resource.startsWith('limits.')),
    age(object, now),
  ],
};

function usage(object: JsonObject, wanted: (resource: string) => boolean): string {
  const status = objectAt(object, 'status');
  const used = objectAt(status, 'used');
  const hard = entries(status, 'hard').filter(([resource]) => wanted(resource));
  return hard.map(([resource, limit]) => `${resource}: ${textOr(used, resource, '0')}/${limit}`).join(', ');
}
