import { objectAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { count } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, templateContainers } from '../cells.ts';
import { column, CONTAINER_COLUMNS, named } from '../columns.ts';

/** Upstream's printStatefulSet. */
export const statefulSet: TablePrinter = {
  columns: [...named(column('Ready', 'How many of the desired pods are ready.')), ...CONTAINER_COLUMNS],
  cells(object, now) {
    const spec = objectAt(object, 'spec');
    const ready = count(objectAt(object, 'status'), 'readyReplicas');
    return [nameOf(object), `${ready}/${count(spec, 'replicas')}`, age(object, now), ...templateContainers(spec)];
  },
};
