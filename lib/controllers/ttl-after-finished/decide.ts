import type { JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import { dateOf, parseTime } from '#lib/machinery/time.ts';
import { at, integer, text } from '#lib/machinery/unstructured.ts';
import { conditionsOf } from '../workload/conditions.ts';

/** When, in milliseconds since 1970, a job that has finished is to go; undefined where it is not. */
export function expiresAt(job: JsonObject): number | undefined {
  const seconds = integer(at(job, 'spec'), 'ttlSecondsAfterFinished');
  if (seconds === undefined || isDeleting(job)) return undefined;
  const finished = conditionsOf(job).find(
    (one) => ['Complete', 'Failed'].includes(text(one, 'type')) && text(one, 'status') === 'True',
  );
  const time = text(finished, 'lastTransitionTime');
  return time === '' ? undefined : dateOf(parseTime(time)).getTime() + Number(seconds) * 1000;
}
