import type { CronFields, CronSchedule } from '#lib/server/registry/kinds/batch/cron.ts';
import { instantAt, type Offset, offsetOf } from './time-zone.ts';

/** Finds the first matching time after another, both in seconds since 1970. Undefined if there is none within five years. */
export type Next = (after: number) => number | undefined;

const [MINUTE, HOUR] = [60, 3600];
const YEARS = 5;

/** The times at which a schedule matches in a zone: robfig/cron v3's Next. Throws RangeError for an unknown zone. */
export function nextOf({ when, zone: named }: CronSchedule, zone: string): Next {
  if ('every' in when) return (after) => Math.floor(after) + when.every;
  const offset = offsetOf(named ?? zone);
  return (after) => search(when, offset, Math.floor(after) + 1);
}

/** The parts of a date in the zone's local time. */
interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

function partsAt(time: number, offset: Offset): Parts {
  const date = new Date((time + offset(time)) * 1000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

/**
 * Advances by the largest part that does not match, until all match. Days and months follow the local time, so a day of 23 hours is one
 * day. Hours and minutes follow the elapsed time.
 */
function search(fields: CronFields, offset: Offset, from: number): number | undefined {
  const limit = partsAt(from, offset).year + YEARS;
  let time = from;
  for (;;) {
    const parts = partsAt(time, offset);
    if (parts.year > limit) return undefined;
    const forward = step(fields, parts, time, offset);
    if (forward === undefined) return time;
    time = forward;
  }
}

/** The next candidate time. Undefined if this one matches. */
function step(fields: CronFields, parts: Parts, time: number, offset: Offset): number | undefined {
  const { year, month, day, hour, minute, second } = parts;
  const begin = (wall: number): number => instantAt(wall / 1000, offset);
  if (!fields.month.numbers.has(month)) return midnight(begin(Date.UTC(year, month, 1)), offset);
  if (!isDay(fields, parts)) return midnight(begin(Date.UTC(year, month - 1, day + 1)), offset);
  if (!fields.hour.numbers.has(hour)) {
    const isWhole = minute === 0 && second === 0; // if an hour occurs twice, the second one is skipped as well
    return HOUR + (isWhole ? time : begin(Date.UTC(year, month - 1, day, hour)));
  }
  return fields.minute.numbers.has(minute) && second === 0 ? undefined : time - (time % MINUTE) + MINUTE;
}

/** The first hour of a day, even if its midnight is skipped. */
function midnight(time: number, offset: Offset): number {
  const { hour } = partsAt(time, offset);
  return hour > 12 ? time + (24 - hour) * HOUR : time;
}

/** Matches a day of the month or of the week if both are given, else requires both. */
function isDay({ day, weekday }: CronFields, parts: Parts): boolean {
  const [isOfMonth, isOfWeek] = [day.numbers.has(parts.day), weekday.numbers.has(parts.weekday)];
  return day.any || weekday.any ? isOfMonth && isOfWeek : isOfMonth || isOfWeek;
}
