import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';

/** Whether the condition of this type has this status. */
export function conditionIs(job: JsonObject, type: string, status: 'True' | 'False'): boolean {
  const conditions = items(objectAt(job, 'status'), 'conditions');
  return conditions.some((condition) => text(condition, 'type') === type && text(condition, 'status') === status);
}

/** Whether the condition of this type is true. */
export const isTrue = (job: JsonObject, type: string): boolean => conditionIs(job, type, 'True');
/** Whether the job has completed or failed. */
export const isFinished = (job: JsonObject): boolean => isTrue(job, 'Complete') || isTrue(job, 'Failed');
