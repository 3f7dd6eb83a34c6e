import type { Job, JobStatus } from '#lib/api/types/batch.v1.ts';
import { isConditionTrue } from '#lib/machinery/conditions.ts';
import { humanDuration } from '#lib/machinery/human-duration.ts';
import { isDeleting, nameOf } from '#lib/machinery/meta.ts';
import { millisecondsOf } from '#lib/machinery/time-at.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, selectorOrNone, templateContainers } from '../cells.ts';
import { CONTAINER_COLUMNS, column, named, SELECTOR_COLUMN } from '../columns.ts';

/** Upstream's printJob. */
export const job: TablePrinter<Job> = {
  columns: [
    ...named(
      column('Status', 'Whether the job runs, is held, or how it ended.'),
      column('Completions', 'How many of the wanted pods have succeeded.'),
      column('Duration', 'How long the job took, or has taken up to now.'),
    ),
    ...CONTAINER_COLUMNS,
    SELECTOR_COLUMN,
  ],
  cells(object, now) {
    const { spec, status } = object;
    return [
      nameOf(object),
      statusText(object),
      completions(object),
      durationText(status, now),
      age(object, now),
      ...templateContainers(spec.template),
      selectorOrNone(spec.selector),
    ];
  },
};

function statusText(object: Job): string {
  if (hasCondition(object, 'Complete')) return 'Complete';
  if (hasCondition(object, 'Failed')) return 'Failed';
  if (isDeleting(object)) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) => hasCondition(object, type)) ?? 'Running';
}

const hasCondition = ({ status }: Job, type: string): boolean => isConditionTrue(status.conditions, type);

/** Without `completions`, the first success completes the job, whatever its parallelism. */
function completions({ spec, status }: Job): string {
  const { succeeded = 0 } = status;
  const { completions: wanted, parallelism = 0 } = spec;
  if (wanted !== undefined) return `${succeeded}/${wanted}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationText({ startTime, completionTime }: JobStatus, now: Date): string {
  const start = millisecondsOf(startTime);
  return start === undefined ? '' : humanDuration((millisecondsOf(completionTime) ?? now.getTime()) - start);
}
