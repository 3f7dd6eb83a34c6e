import type { DaemonSet } from '#lib/api/types/apps.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, labelsText, selectorOrNone, templateContainers } from '../cells.ts';
import { CONTAINER_COLUMNS, column, named, SELECTOR_COLUMN } from '../columns.ts';

/** Upstream's printDaemonSet. */
export const daemonSet: TablePrinter<DaemonSet> = {
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
    const { spec, status } = object;
    return [
      nameOf(object),
      status.desiredNumberScheduled,
      status.currentNumberScheduled,
      status.numberReady,
      status.updatedNumberScheduled ?? 0,
      status.numberAvailable ?? 0,
      labelsText(spec.template.spec.nodeSelector),
      age(object, now),
      ...templateContainers(spec.template),
      selectorOrNone(spec.selector),
    ];
  },
};
