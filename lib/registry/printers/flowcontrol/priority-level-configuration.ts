import { objectAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, count, text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printPriorityLevelConfiguration. */
export const priorityLevelConfiguration: TablePrinter = {
  columns: named(
    column('Type', 'Whether the level is limited or exempt.'),
    column('NominalConcurrencyShares', 'The share of the level in the requests that run at once.'),
    column('Queues', 'The number of queues.'),
    column('HandSize', 'Among how many queues a flow is spread.'),
    column('QueueLengthLimit', 'How many requests may wait in a queue.'),
  ),
  cells(object, now) {
    const limited = at(object, 'spec', 'limited');
    const queuing = at(limited, 'limitResponse', 'queuing');
    return [
      nameOf(object),
      text(objectAt(object, 'spec'), 'type'),
      countOrNone(limited, 'nominalConcurrencyShares'),
      countOrNone(queuing, 'queues'),
      countOrNone(queuing, 'handSize'),
      countOrNone(queuing, 'queueLengthLimit'),
      age(object, now),
    ];
  },
};

const countOrNone = (holder: JsonObject | undefined, field: string): Json =>
  holder === undefined ? NONE : count(holder, field);
