import { objectAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, count } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, labelsText, selectorOrNone, templateContainers } from '../cells.ts';
import { column, CONTAINER_COLUMNS, named, SELECTOR_COLUMN } from '../columns.ts';

/** Upstream's printDaemonSet. */
export const daemonSet: TablePrinter = {
  columns: [
    ...named(
      column('Desired', 'On how many nodes a pod should run.', 'integer'),
      column('Current', 'On how many of them one runs.', 'integer'),
      column('Ready', 'On how many of them one is ready.', 'integer'),
      column('Up-to-date', 'On how many of them one of the current template runs.', 'integer'),
      column('Available', 'On how many of them one has been ready for long enough.', 'integer'),
      column('Node Selector', 'The labels of nodes that pods are for.'),
    ),
    ...CONTAINER_COLUMNS,
    SELECTOR_COLUMN,
  ],
  cells(object, now) {
    const spec = objectAt(object, 'spec');
    const status = objectAt(object, 'status');
    return [
      nameOf(object),
      count(status, 'desiredNumberScheduled'),
      count(status, 'currentNumberScheduled'),
      count(status, 'numberReady'),
      count(status, 'updatedNumberScheduled'),
      count(status, 'numberAvailable'),
      labelsText(at(spec, 'template', 'spec'), 'nodeSelector'),
      age(object, now),
      ...templateContainers(spec),
      selectorOrNone(spec, 'selector'),
    ];
  },
};
