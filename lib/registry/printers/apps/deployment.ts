import { objectAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { count } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, labelSelectorText, templateContainers } from '../cells.ts';
import { column, CONTAINER_COLUMNS, named, SELECTOR_COLUMN } from '../columns.ts';

/** Upstream's printDeployment. */
export const deployment: TablePrinter = {
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
    const spec = objectAt(object, 'spec');
    const status = objectAt(object, 'status');
    return [
      nameOf(object),
      `${count(status, 'readyReplicas')}/${count(spec, 'replicas')}`,
      count(status, 'updatedReplicas'),
      count(status, 'availableReplicas'),
      age(object, now),
      ...templateContainers(spec),
      labelSelectorText(spec, 'selector', '<invalid>'),
    ];
  },
};
