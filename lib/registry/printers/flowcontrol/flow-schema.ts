import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, count, items, text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printFlowSchema. */
export const flowSchema: TablePrinter = {
  columns: [
    ...named(
      column('PriorityLevel', 'The priority level that its requests are of.'),
      column('MatchingPrecedence', 'Of the schemas that match a request, the least one counts.'),
      column('DistinguisherMethod', 'What tells the flows of the schema apart.'),
    ),
    column('MissingPL', 'Whether there is no such priority level.'),
  ],
  cells(object, now) {
    const spec = objectAt(object, 'spec');
    const method = objectAt(spec, 'distinguisherMethod');
    return [
      nameOf(object),
      text(at(spec, 'priorityLevelConfiguration'), 'name'),
      count(spec, 'matchingPrecedence'),
      method === undefined ? NONE : text(method, 'type'),
      age(object, now),
      dangling(object),
    ];
  },
  compare: (a, b) => precedence(a) - precedence(b) || (nameOf(a) < nameOf(b) ? -1 : 1),
};

const precedence = (object: JsonObject): number => Number(count(objectAt(object, 'spec'), 'matchingPrecedence'));

function dangling(object: JsonObject): string {
  const conditions = items(objectAt(object, 'status'), 'conditions');
  const found = conditions.find((condition) => text(condition, 'type') === 'Dangling');
  return found === undefined ? '?' : text(found, 'status');
}
