import type { PriorityLevelConfiguration } from '#lib/api/types/flowcontrol.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printPriorityLevelConfiguration. */
export const priorityLevelConfiguration: TablePrinter<PriorityLevelConfiguration> = {
  columns: named(
    column('Type', 'Whether the level is limited or exempt.'),
    column('NominalConcurrencyShares', 'The share of the level in the requests that run at once.'),
    column('Queues', 'The number of queues.'),
    column('HandSize', 'Among how many queues a flow is spread.'),
    column('QueueLengthLimit', 'How many requests may wait in a queue.'),
  ),
  cells(object, now) {
    const { type, limited } = object.spec;
    const queuing = limited?.limitResponse.queuing;
    return [
      nameOf(object),
      type,
      limited === undefined ? NONE : (limited.nominalConcurrencyShares ?? 0),
      queuing?.queues ?? NONE,
      queuing?.handSize ?? NONE,
      queuing?.queueLengthLimit ?? NONE,
      age(object, now),
    ];
  },
};
