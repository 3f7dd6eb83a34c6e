import type { CronJob } from '#lib/api/types/batch.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE, selectorOrNone, since, templateContainers, UNSET } from '../cells.ts';
import { CONTAINER_COLUMNS, column, named, SELECTOR_COLUMN } from '../columns.ts';

/** Upstream's printCronJob. */
export const cronJob: TablePrinter<CronJob> = {
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
    const { spec, status } = object;
    const job = spec.jobTemplate.spec;
    return [
      nameOf(object),
      spec.schedule,
      spec.timeZone ?? NONE,
      suspended(spec.suspend),
      status.active?.length ?? 0,
      status.lastScheduleTime === undefined ? NONE : since(status.lastScheduleTime, now),
      age(object, now),
      ...templateContainers(job.template),
      selectorOrNone(job.selector),
    ];
  },
};

function suspended(suspend: boolean | undefined): string {
  if (suspend === undefined) return UNSET;
  return suspend ? 'True' : 'False';
}
