import type { FlowSchema, FlowSchemaStatus } from '#lib/api/types/flowcontrol.v1.ts';
import { findCondition } from '#lib/machinery/conditions.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printFlowSchema. */
export const flowSchema: TablePrinter<FlowSchema> = {
  columns: [
    ...named(
      column('PriorityLevel', 'The priority level that its requests are of.'),
      column('MatchingPrecedence', 'Of the schemas that match a request, the least one counts.'),
      column('DistinguisherMethod', 'What tells the flows of the schema apart.'),
    ),
    column('MissingPL', 'Whether there is no such priority level.'),
  ],
  cells(object, now) {
    const { priorityLevelConfiguration, matchingPrecedence, distinguisherMethod } = object.spec;
    return [
      nameOf(object),
      priorityLevelConfiguration.name,
      matchingPrecedence,
      distinguisherMethod?.type ?? NONE,
      age(object, now),
      dangling(object.status),
    ];
  },
  compare: (a, b) => a.spec.matchingPrecedence - b.spec.matchingPrecedence || (nameOf(a) < nameOf(b) ? -1 : 1),
};

function dangling({ conditions = [] }: FlowSchemaStatus): string {
  const found = findCondition(conditions, 'Dangling');
  return found === undefined ? '?' : (found.status ?? '');
}
