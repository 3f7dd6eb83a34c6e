import type { ReplicationController } from '#lib/api/types/core.v1.ts';
import type { TablePrinter } from '../../printer.ts';
import { REPLICA_COLUMNS, replicaCells } from '../apps/replica-set.ts';
import { labelsText } from '../cells.ts';

/** Upstream's printReplicationController. */
export const replicationController: TablePrinter<ReplicationController> = {
  columns: REPLICA_COLUMNS,
  cells: (object, now) => [...replicaCells(object, now), labelsText(object.spec.selector)],
};
