import type { CronJob } from '#lib/api/types/batch.v1.ts';
import { creationTimeOf } from '#lib/machinery/meta.ts';
import type { Next } from './schedule.ts';
import { secondsOf } from './time.ts';

/** The number of missed runs above which a warning is recorded. */
const MANY = 100;
/** The margin in seconds added to each wait, so that a slow clock does not trigger too early. */
const PADDING = 0.1;

/** The runs that have become due since the last one. Times are in seconds since 1970. */
export interface Missed {
  /** The start of the count: the last run, or the creation of the cron job. */
  readonly since: number;
  /** The latest scheduled time that has passed. */
  readonly recent: number | undefined;
  readonly missed: 'none' | 'few' | 'many';
  /** Whether the schedule never matches. */
  readonly isNever: boolean;
}

/**
 * Upstream's mostRecentScheduleTime. It estimates the number of runs from the interval between the first two, which avoids iterating over
 * years of runs.
 */
export function missedSince(cronJob: CronJob, now: number, next: Next, withinDeadline: boolean): Missed {
  const since = sinceWhen(cronJob, now, withinDeadline);
  const first = next(since);
  if (first === undefined) return { since, recent: undefined, missed: 'none', isNever: true };
  if (now < first) return { since, recent: undefined, missed: 'none', isNever: false };
  const second = next(first);
  if (second === undefined) return { since, recent: undefined, missed: 'none', isNever: true };
  if (now < second) return { since, recent: first, missed: 'none', isNever: false };
  const between = second - first;
  const number = Math.trunc((now - first) / between) + 1;
  const recent = lastUntil(now, next, first + (number - 2) * between);
  return { since, recent, missed: number > MANY ? 'many' : 'few', isNever: false };
}

function sinceWhen(cronJob: CronJob, now: number, withinDeadline: boolean): number {
  const created = (creationTimeOf(cronJob)?.getTime() ?? 0) / 1000;
  const since = secondsOf(cronJob.status.lastScheduleTime) ?? created;
  const deadline = withinDeadline ? cronJob.spec.startingDeadlineSeconds : undefined;
  return deadline === undefined ? since : Math.max(since, now - Number(deadline));
}

function lastUntil(now: number, next: Next, from: number): number | undefined {
  let last: number | undefined;
  for (let time = next(from); time !== undefined && time <= now; time = next(time)) last = time;
  return last;
}

/** The time in seconds until the next scheduled run. Undefined if there is none: upstream's nextScheduleTimeDuration. */
export function untilNext(cronJob: CronJob, now: number, next: Next): number | undefined {
  const { since, recent, missed, isNever } = missedSince(cronJob, now, next, false);
  const from = isNever ? now : (recent ?? (missed === 'none' ? since : now));
  const time = next(from);
  return time === undefined ? undefined : Math.max(0, time + PADDING - now);
}
