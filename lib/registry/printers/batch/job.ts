import { humanDuration } from '#lib/machinery/human-duration.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf } from '#lib/machinery/meta.ts';
import { count, integer, items, text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, selectorOrNone, templateContainers, timeAt } from '../cells.ts';
import { column, CONTAINER_COLUMNS, named, SELECTOR_COLUMN } from '../columns.ts';

/** Upstream's printJob. */
export const job: TablePrinter = {
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
    const spec = objectAt(object, 'spec');
    return [
      nameOf(object),
      statusText(object),
      completions(object),
      durationText(objectAt(object, 'status'), now),
      age(object, now),
      ...templateContainers(spec),
      selectorOrNone(spec, 'selector'),
    ];
  },
};

function statusText(object: JsonObject): string {
  if (hasCondition(object, 'Complete')) return 'Complete';
  if (hasCondition(object, 'Failed')) return 'Failed';
  if (isDeleting(object)) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) => hasCondition(object, type)) ?? 'Running';
}

function hasCondition(object: JsonObject, type: string): boolean {
  const conditions = items(objectAt(object, 'status'), 'conditions');
  return (
    text(
      conditions.find((condition) => text(condition, 'type') === type),
      'status',
    ) === 'True'
  );
}

/** Where no number is wanted, one success ends the job, however many pods run at once. */
function completions(object: JsonObject): string {
  const spec = objectAt(object, 'spec');
  const succeeded = count(objectAt(object, 'status'), 'succeeded');
  const wanted = integer(spec, 'completions');
  if (wanted !== undefined) return `${succeeded}/${wanted}`;
  const parallelism = count(spec, 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationText(status: JsonObject | undefined, now: Date): string {
  const start = timeAt(status, 'startTime');
  return start === undefined ? '' : humanDuration((timeAt(status, 'completionTime') ?? now.getTime()) - start);
}
