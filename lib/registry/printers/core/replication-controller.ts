import { objectAt } from '#lib/machinery/json-value.ts';
import type { TablePrinter } from '../../printer.ts';
import { replicaCells, REPLICA_COLUMNS } from '../apps/replica-set.ts';
import { labelsText } from '../cells.ts';

/** Upstream's printReplicationController. */
export const replicationController: TablePrinter = {
  columns: REPLICA_COLUMNS,
  cells: (object, now) => [...replicaCells(object, now), labelsText(objectAt(object, 'spec'), 'selector')],
};
