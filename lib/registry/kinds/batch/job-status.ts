import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { texts } from '#lib/machinery/unstructured.ts';
import { FieldPath, duplicate, invalid, type FieldError } from '#lib/machinery/validation/field.ts';
import { nonnegative } from '../shared/validate.ts';
import { conditionErrors } from './job-status-conditions.ts';
import { indexErrors } from './job-status-indexes.ts';
import { finishedErrors, timeErrors, transitionErrors } from './job-status-finished.ts';
import { statusChange } from './job-status-change.ts';

const STATUS = FieldPath.of('status');
const COUNTS = ['active', 'succeeded', 'failed', 'ready', 'terminating'];

/**
 * A job's status comes from a controller, which need not be ours: the transitions that clients rely on are checked. What was
 * wrong before and does not change is let pass.
 */
export function validateJobStatusUpdate(job: JsonObject, old: JsonObject): FieldError[] {
  const change = statusChange(job, old);
  return [
    ...nonnegative(objectAt(job, 'status'), STATUS, ...COUNTS),
    ...uncounted(job),
    ...conditionErrors(change, STATUS),
    ...timeErrors(change, STATUS),
    ...finishedErrors(change, STATUS),
    ...indexErrors(change, STATUS),
    ...transitionErrors(change, STATUS),
  ];
}

function uncounted(job: JsonObject): FieldError[] {
  const pods = objectAt(objectAt(job, 'status'), 'uncountedTerminatedPods');
  const seen = new Set<string>();
  return ['succeeded', 'failed'].flatMap((field) =>
    texts(pods, field).flatMap((uid, i) => {
      const path = STATUS.child('uncountedTerminatedPods', field).index(i);
      if (uid === '') return [invalid(path, uid, 'must not be empty')];
      const again = seen.has(uid) ? [duplicate(path, uid)] : [];
      seen.add(uid);
      return again;
    }),
  );
}
