import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** The table of kube-aggregator's registry. */
export const apiService: TablePrinter = {
  columns: named(
    column('Service', 'The service that answers for the group; Local is this server itself.'),
    column('Available', 'Whether the group is answered for, or why it is not.'),
  ),
  cells: (object, now) => [nameOf(object), serviceText(object), available(object), age(object, now)],
};

function serviceText(object: JsonObject): string {
  const service = at(object, 'spec', 'service');
  return service === undefined ? 'Local' : `${text(service, 'namespace')}/${text(service, 'name')}`;
}

function available(object: JsonObject): string {
  const conditions = items(objectAt(object, 'status'), 'conditions');
  const found = conditions.find((condition) => text(condition, 'type') === 'Available');
  if (found === undefined) return 'Unknown';
  const [status, reason] = [text(found, 'status'), text(found, 'reason')];
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
}
