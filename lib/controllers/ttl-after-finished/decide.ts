import type { Job } from '#lib/api/types/batch.v1.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import { dateOf, parseTime } from '#lib/machinery/time.ts';

/** The time, in ms since 1970, at which a finished job is deleted. Undefined if it is not. Throws TimeError. */
export function expiresAt(job: Job): number | undefined {
  const { ttlSecondsAfterFinished: seconds } = job.spec;
  if (seconds === undefined || isDeleting(job)) return undefined;
  const finished = job.status.conditions?.find(
    ({ type, status }) => ['Complete', 'Failed'].includes(type) && status === 'True',
  );
  const time = finished?.lastTransitionTime ?? '';
  return time === '' ? undefined : dateOf(parseTime(time)).getTime() + seconds * 1000;
}
