import type { ReplicaSet } from '#lib/api/types/apps.v1.ts';
import type { ReplicationController } from '#lib/api/types/core.v1.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TableColumn, TablePrinter } from '../../printer.ts';
import { age, selectorOrNone, templateContainers } from '../cells.ts';
import { CONTAINER_COLUMNS, column, named, SELECTOR_COLUMN } from '../columns.ts';

/** The columns of replica sets and replication controllers. */
export const REPLICA_COLUMNS: readonly TableColumn[] = [
  ...named(
    column('Desired', 'How many pods there should be.', 'integer'),
    column('Current', 'How many pods there are.', 'integer'),
    column('Ready', 'How many pods are ready.', 'integer'),
  ),
  ...CONTAINER_COLUMNS,
  SELECTOR_COLUMN,
];

/** The cells of `REPLICA_COLUMNS`, without the selector. */
export function replicaCells(object: ReplicaSet | ReplicationController, now: Date): Json[] {
  const { spec, status } = object;
  return [
    nameOf(object),
    spec.replicas ?? 0,
    status.replicas,
    status.readyReplicas ?? 0,
    age(object, now),
    ...templateContainers(spec.template),
  ];
}

/** Upstream's printReplicaSet. */
export const replicaSet: TablePrinter<ReplicaSet> = {
  columns: REPLICA_COLUMNS,
  cells: (object, now) => [...replicaCells(object, now), selectorOrNone(object.spec.selector)],
};
