import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCron } from '#lib/server/registry/kinds/batch/cron.ts';
import { type Next, nextOf } from './schedule.ts';
import { offsetOf, zonedText } from './time-zone.ts';

function next(schedule: string, zone = 'UTC'): Next {
  const parsed = parseCron(schedule);
  if (typeof parsed === 'string') throw new Error(parsed);
  return nextOf(parsed, zone);
}

const seconds = (text: string): number => Date.parse(text) / 1000;

/** The first times after `from`, in the zone's local time. */
function times(schedule: string, from: string, number: number, zone = 'UTC'): string[] {
  const [find, offset] = [next(schedule, zone), offsetOf(zone)];
  const found: string[] = [];
  for (let time = seconds(from); found.length < number; ) {
    const following = find(time);
    if (following === undefined) return [...found, 'never'];
    found.push(zonedText(following, offset));
    time = following;
  }
  return found;
}

test.each<[string, string, string[]]>([
  ['* * * * *', '2026-01-01T00:00:00Z', ['2026-01-01T00:01:00Z', '2026-01-01T00:02:00Z']],
  ['* * * * *', '2026-01-01T00:00:30.5Z', ['2026-01-01T00:01:00Z']],
  ['*/15 8-9 * * *', '2026-01-01T08:50:00Z', ['2026-01-01T09:00:00Z', '2026-01-01T09:15:00Z']],
  ['30 6-16/4 * * 1-5', '2026-01-02T14:30:00Z', ['2026-01-05T06:30:00Z', '2026-01-05T10:30:00Z']],
  ['5/20 * * * *', '2026-01-01T00:00:00Z', ['2026-01-01T00:05:00Z', '2026-01-01T00:25:00Z']],
  ['0 0 29 2 *', '2026-01-01T00:00:00Z', ['2028-02-29T00:00:00Z', '2032-02-29T00:00:00Z']],
  ['59 23 31 2 *', '2026-01-01T00:00:00Z', ['never']],
  ['0 0 1 jan MON', '2026-01-01T00:00:00Z', ['2026-01-05T00:00:00Z', '2026-01-12T00:00:00Z']],
  ['0 0 1 * ?', '2026-01-01T00:00:00Z', ['2026-02-01T00:00:00Z']],
  ['0 0 */10 * mon', '2026-01-01T00:00:00Z', ['2026-01-05T00:00:00Z', '2026-01-11T00:00:00Z']],
  ['0 0 31 * *', '2026-01-31T00:00:00Z', ['2026-03-31T00:00:00Z']],
  ['@hourly', '2026-01-01T00:00:01Z', ['2026-01-01T01:00:00Z']],
  ['@daily', '2026-01-01T00:00:00Z', ['2026-01-02T00:00:00Z']],
  ['@weekly', '2026-01-01T00:00:00Z', ['2026-01-04T00:00:00Z']],
  ['@monthly', '2026-01-01T00:00:00Z', ['2026-02-01T00:00:00Z']],
  ['@yearly', '2026-01-01T00:00:00Z', ['2027-01-01T00:00:00Z']],
  ['@every 1h30m', '2026-01-01T00:00:07.2Z', ['2026-01-01T01:30:07Z', '2026-01-01T03:00:07Z']],
  ['@every 1ms', '2026-01-01T00:00:00Z', ['2026-01-01T00:00:01Z']],
  ['TZ=Asia/Tokyo 0 9 * * *', '2026-01-01T00:00:00Z', ['2026-01-02T00:00:00Z']],
])('computes the next runs of %s after %s', (schedule, from, expected) => {
  expect(times(schedule, from, expected.length)).toEqual(expected);
});

describe('schedules across daylight saving transitions', () => {
  test.each<[string, string, string, string, string[]]>([
    [
      'an hour that is skipped',
      'Europe/Berlin',
      '30 2 * * *',
      '2026-03-28T00:00:00Z',
      ['2026-03-28T02:30:00+01:00', '2026-03-30T02:30:00+02:00'],
    ],
    [
      'an hour that occurs twice',
      'America/New_York',
      '30 1 * * *',
      '2026-11-01T00:00:00Z',
      ['2026-11-01T01:30:00-04:00', '2026-11-01T01:30:00-05:00', '2026-11-02T01:30:00-05:00'],
    ],
    [
      'a time after an hour that occurs twice',
      'America/New_York',
      '15 2 * * *',
      '2026-11-01T04:20:00Z',
      ['2026-11-01T02:15:00-05:00'],
    ],
    [
      'an hourly schedule when an hour occurs twice',
      'Europe/Berlin',
      '0 * * * *',
      '2026-10-24T23:30:00Z',
      ['2026-10-25T02:00:00+02:00', '2026-10-25T02:00:00+01:00', '2026-10-25T03:00:00+01:00'],
    ],
    [
      'a day without midnight, west of Greenwich',
      'America/Asuncion',
      '0 5 * * 0',
      '2023-09-25T12:00:00Z',
      ['2023-10-01T05:00:00-03:00', '2023-10-08T05:00:00-03:00'],
    ],
    [
      'a day without midnight, east of Greenwich',
      'Asia/Beirut',
      '0 5 * * 0',
      '2026-03-25T12:00:00Z',
      ['2026-03-29T05:00:00+03:00', '2026-04-05T05:00:00+03:00'],
    ],
    [
      'a run at a skipped midnight',
      'Asia/Beirut',
      '0 0 * * *',
      '2026-03-27T12:00:00Z',
      ['2026-03-28T00:00:00+02:00', '2026-03-30T00:00:00+03:00'],
    ],
    [
      'a zone with a half-hour offset',
      'Asia/Kolkata',
      '0 0 1 * *',
      '2026-01-10T00:00:00Z',
      ['2026-02-01T00:00:00+05:30', '2026-03-01T00:00:00+05:30'],
    ],
  ])('computes the runs for %s', (_, zone, schedule, from, expected) => {
    expect(times(schedule, from, expected.length, zone)).toEqual(expected);
  });
});

describe('schedules compared with a minute-by-minute search', () => {
  const part = (min: number, max: number): fc.Arbitrary<string> => {
    const number = fc.integer({ min, max });
    const range = fc.tuple(number, number).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
    const step = fc.tuple(fc.constantFrom('*', String(min)), fc.integer({ min: 1, max: 9 }));
    const one = fc.oneof(
      number.map(String),
      range,
      step.map(([a, b]) => `${a}/${b}`),
    );
    return fc.oneof(
      fc.constant('*'),
      fc.array(one, { minLength: 1, maxLength: 3 }).map((all) => all.join(',')),
    );
  };
  const schedules = fc
    .tuple(part(0, 59), part(0, 23), part(1, 31), part(1, 12), part(0, 6))
    .map((fields) => fields.join(' '));
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia');
  const DAYS = 20;

  /** Whether the local time in the zone matches the schedule by the rules of cron notation. */
  function matches(schedule: string, zone: string, time: number): boolean {
    const clock = new Date((time + offsetOf(zone)(time)) * 1000);
    const [minute = '', hour = '', day = '', month = '', weekday = ''] = schedule.split(' ');
    const has = (field: string, value: number, max: number): boolean =>
      field.split(',').some((one) => {
        const [range = '', by] = one.split('/');
        const [low = '', high] = range.split('-');
        const from = low === '*' ? (max === 31 || max === 12 ? 1 : 0) : Number(low);
        const to = high !== undefined ? Number(high) : low === '*' || by !== undefined ? max : from;
        return value >= from && value <= to && (value - from) % Number(by ?? 1) === 0;
      });
    const isAny = (field: string): boolean => /(^|,)\*(\/1)?(,|$)/.test(field);
    const [isOfMonth, isOfWeek] = [has(day, clock.getUTCDate(), 31), has(weekday, clock.getUTCDay(), 6)];
    return (
      has(minute, clock.getUTCMinutes(), 59) &&
      has(hour, clock.getUTCHours(), 23) &&
      has(month, clock.getUTCMonth() + 1, 12) &&
      (isAny(day) || isAny(weekday) ? isOfMonth && isOfWeek : isOfMonth || isOfWeek)
    );
  }

  test('match in every time zone', () => {
    const begin = fc.integer({ min: seconds('2025-01-01T00:00:00Z'), max: seconds('2030-01-01T00:00:00Z') });
    fc.assert(
      fc.property(schedules, zones, begin, (schedule, zone, from) => {
        const found = next(schedule, zone)(from);
        const end = Math.min(found ?? Infinity, from + DAYS * 86_400);
        for (let time = from - (from % 60) + 60; time < end; time += 60)
          if (matches(schedule, zone, time)) return false;
        return found === undefined || matches(schedule, zone, found);
      }),
      { numRuns: 60 },
    );
  });
});

test('stops searching for a schedule that never matches', () => {
  expect(next('0 0 31 2,4,6,9,11 *', 'Europe/Berlin')(seconds('2026-01-01T00:00:00Z'))).toBeUndefined();
});
