import type { Job } from '#lib/api/types/batch.v1.ts';
import { duplicate, type FieldError, FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { nonnegative } from '../shared/validate.ts';
import { statusChange } from './job-status-change.ts';
import { conditionErrors } from './job-status-conditions.ts';
import { finishedErrors, timeErrors, transitionErrors } from './job-status-finished.ts';
import { indexErrors } from './job-status-indexes.ts';

const STATUS = FieldPath.of('status');
const COUNTS = ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const;

/**
 * Validates the status transitions that clients rely on, because a job's status may come from a third-party controller. Accepts unchanged
 * errors of the stored status.
 */
export function validateJobStatusUpdate(job: Job, old: Job): FieldError[] {
  const change = statusChange(job, old);
  return [
    ...nonnegative(job.status, STATUS, ...COUNTS),
    ...uncounted(job),
    ...conditionErrors(change, STATUS),
    ...timeErrors(change, STATUS),
    ...finishedErrors(change, STATUS),
    ...indexErrors(change, STATUS),
    ...transitionErrors(change, STATUS),
  ];
}

function uncounted(job: Job): FieldError[] {
  const pods = job.status.uncountedTerminatedPods;
  const seen = new Set<string>();
  return (['succeeded', 'failed'] as const).flatMap((field) =>
    (pods?.[field] ?? []).flatMap((uid, i) => {
      const path = STATUS.child('uncountedTerminatedPods', field).index(i);
      if (uid === '') return [invalid(path, uid, 'must not be empty')];
      const again = seen.has(uid) ? [duplicate(path, uid)] : [];
      seen.add(uid);
      return again;
    }),
  );
}
