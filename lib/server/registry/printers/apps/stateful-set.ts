import type { StatefulSet } from '#lib/api/types/apps.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, templateContainers } from '../cells.ts';
import { CONTAINER_COLUMNS, column, named } from '../columns.ts';

/** Upstream's printStatefulSet. */
export const statefulSet: TablePrinter<StatefulSet> = {
  columns: [...named(column('Ready', 'How many of the desired pods are ready.')), ...CONTAINER_COLUMNS],
  cells(object, now) {
    const { spec, status } = object;
    const ready = `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`;
    return [nameOf(object), ready, age(object, now), ...templateContainers(spec.template)];
  },
};
