import type { Deployment } from '#lib/api/types/apps.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, labelSelectorText, templateContainers } from '../cells.ts';
import { CONTAINER_COLUMNS, column, named, SELECTOR_COLUMN } from '../columns.ts';

/** Upstream's printDeployment. */
export const deployment: TablePrinter<Deployment> = {
  columns: [
    ...named(
      column('Ready', 'How many of the desired pods are ready.'),
      column('Up-to-date', 'How many pods are of the current template.'),
      column('Available', 'How many pods have been ready for long enough.'),
    ),
    ...CONTAINER_COLUMNS,
    SELECTOR_COLUMN,
  ],
  cells(object, now) {
    const { spec, status } = object;
    return [
      nameOf(object),
      `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      status.updatedReplicas ?? 0,
      status.availableReplicas ?? 0,
      age(object, now),
      ...templateContainers(spec.template),
      labelSelectorText(spec.selector, '<invalid>'),
    ];
  },
};
