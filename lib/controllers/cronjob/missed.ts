import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { creationTimeOf } from '#lib/machinery/meta.ts';
import { integer } from '#lib/machinery/unstructured.ts';
import { timeAt } from './time.ts';
import type { Next } from './schedule.ts';

/** Runs that may be missed before it is told. */
const MANY = 100;
/** Seconds by which it is looked again late, lest a clock that is slow finds nothing to do. */
const PADDING = 0.1;

/** What should have run since the last time: times are seconds since 1970. */
export interface Missed {
  /** Where the reckoning begins: the last run, or when the cron job was made. */
  readonly since: number;
  /** The last time that has come. */
  readonly recent: number | undefined;
  readonly missed: 'none' | 'few' | 'many';
  /** Whether the schedule never comes. */
  readonly isNever: boolean;
}

/**
 * Upstream's mostRecentScheduleTime: from the distance of the first two runs it reckons how many there were, so that the runs
 * of years are not gone through.
 */
export function missedSince(cronJob: JsonObject, now: number, next: Next, withinDeadline: boolean): Missed {
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

function sinceWhen(cronJob: JsonObject, now: number, withinDeadline: boolean): number {
  const created = (creationTimeOf(cronJob)?.getTime() ?? 0) / 1000;
  const since = timeAt(objectAt(cronJob, 'status'), 'lastScheduleTime') ?? created;
  const deadline = withinDeadline ? integer(objectAt(cronJob, 'spec'), 'startingDeadlineSeconds') : undefined;
  return deadline === undefined ? since : Math.max(since, now - Number(deadline));
}

function lastUntil(now: number, next: Next, from: number): number | undefined {
  let last: number | undefined;
  for (let time = next(from); time !== undefined && time <= now; time = next(time)) last = time;
  return last;
}

/** Seconds until the schedule comes round again; undefined where it never does: upstream's nextScheduleTimeDuration. */
export function untilNext(cronJob: JsonObject, now: number, next: Next): number | undefined {
  const { since, recent, missed, isNever } = missedSince(cronJob, now, next, false);
  const from = isNever ? now : (recent ?? (missed === 'none' ? since : now));
  const time = next(from);
  return time === undefined ? undefined : Math.max(0, time + PADDING - now);
}
