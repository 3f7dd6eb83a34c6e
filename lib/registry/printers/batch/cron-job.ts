import { arrayAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, flag, has, text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE, selectorOrNone, since, templateContainers, textUnlessNull, UNSET } from '../cells.ts';
import { column, CONTAINER_COLUMNS, named, SELECTOR_COLUMN } from '../columns.ts';

/** Upstream's printCronJob. */
export const cronJob: TablePrinter = {
  columns: [
    ...named(
      column('Schedule', 'When jobs are made, as cron writes it.'),
      column('Timezone', 'The time zone that the schedule is in.'),
      column('Suspend', 'Whether no jobs are made for the time being.', 'boolean'),
      column('Active', 'How many of its jobs run.', 'integer'),
      column('Last Schedule', 'How long ago a job was last made.'),
    ),
    ...CONTAINER_COLUMNS,
    SELECTOR_COLUMN,
  ],
  cells(object, now) {
    const spec = objectAt(object, 'spec');
    const status = objectAt(object, 'status');
    const job = at(spec, 'jobTemplate', 'spec');
    return [
      nameOf(object),
      text(spec, 'schedule'),
      textUnlessNull(spec, 'timeZone', NONE),
      suspended(spec),
      arrayAt(status, 'active').length,
      has(status, 'lastScheduleTime') ? since(status, 'lastScheduleTime', now) : NONE,
      age(object, now),
      ...templateContainers(job),
      selectorOrNone(job, 'selector'),
    ];
  },
};

function suspended(spec: JsonObject | undefined): string {
  const suspend = flag(spec, 'suspend');
  if (suspend === undefined) return UNSET;
  return suspend ? 'True' : 'False';
}
