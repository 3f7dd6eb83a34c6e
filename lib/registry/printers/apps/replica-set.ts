import { objectAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { count } from '#lib/machinery/unstructured.ts';
import type { TableColumn, TablePrinter } from '../../printer.ts';
import { age, selectorOrNone, templateContainers } from '../cells.ts';
import { column, CONTAINER_COLUMNS, named, SELECTOR_COLUMN } from '../columns.ts';

/** Those of replication controllers also. */
export const REPLICA_COLUMNS: readonly TableColumn[] = [
  ...named(
    column('Desired', 'How many pods there should be.', 'integer'),
    column('Current', 'How many pods there are.', 'integer'),
    column('Ready', 'How many pods are ready.', 'integer'),
  ),
  ...CONTAINER_COLUMNS,
  SELECTOR_COLUMN,
];

/** The cells before the selector's. */
export function replicaCells(object: JsonObject, now: Date): Json[] {
  const spec = objectAt(object, 'spec');
  const status = objectAt(object, 'status');
  return [
    nameOf(object),
    count(spec, 'replicas'),
    count(status, 'replicas'),
    count(status, 'readyReplicas'),
    age(object, now),
    ...templateContainers(spec),
  ];
}

/** Upstream's printReplicaSet. */
export const replicaSet: TablePrinter = {
  columns: REPLICA_COLUMNS,
  cells: (object, now) => [...replicaCells(object, now), selectorOrNone(objectAt(object, 'spec'), 'selector')],
};
