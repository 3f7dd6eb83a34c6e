import { declare, type FunctionDeclaration, member } from '../functions/function.ts';
import { durationType, intType, stringType, timestampType } from '../types/type.ts';
import { intOf } from '../values/int.ts';
import { durationSeconds } from '../values/time.ts';
import { CelError, type Duration, type Result, type Timestamp } from '../values/value.ts';
import { inZone } from './zone.ts';

function accessor(id: string, idWithZone: string, field: (date: Date) => number) {
  const call = (timestamp: Timestamp, zone = 'UTC'): Result => {
    const date = inZone(timestamp, zone);
    return date instanceof CelError ? date : intOf(field(date));
  };
  return [
    member(id, [timestampType], intType, (timestamp: Timestamp) => call(timestamp)),
    member(idWithZone, [timestampType, stringType], intType, (timestamp: Timestamp, zone: string) =>
      call(timestamp, zone),
    ),
  ];
}

function ofDuration(id: string, amount: (duration: Duration) => bigint) {
  return member(id, [durationType], intType, amount);
}

/** Go computes hours and minutes as floats and truncates them. */
function floatSeconds(per: number): (duration: Duration) => bigint {
  return (duration) => BigInt(Math.trunc(durationSeconds(duration) / per));
}

function dayOfYear(date: Date): number {
  const start = new Date(date);
  start.setUTCMonth(0, 1);
  return Math.round((date.getTime() - start.getTime()) / 86_400_000);
}

/** The parts of timestamps and durations. */
export const time: readonly FunctionDeclaration[] = [
  declare(
    'getFullYear',
    ...accessor('timestamp_to_year', 'timestamp_to_year_with_tz', (date) => date.getUTCFullYear()),
  ),
  declare('getMonth', ...accessor('timestamp_to_month', 'timestamp_to_month_with_tz', (date) => date.getUTCMonth())),
  declare('getDayOfYear', ...accessor('timestamp_to_day_of_year', 'timestamp_to_day_of_year_with_tz', dayOfYear)),
  declare(
    'getDayOfMonth',
    ...accessor('timestamp_to_day_of_month', 'timestamp_to_day_of_month_with_tz', (date) => date.getUTCDate() - 1),
  ),
  declare(
    'getDate',
    ...accessor('timestamp_to_day_of_month_1_based', 'timestamp_to_day_of_month_1_based_with_tz', (date) =>
      date.getUTCDate(),
    ),
  ),
  declare(
    'getDayOfWeek',
    ...accessor('timestamp_to_day_of_week', 'timestamp_to_day_of_week_with_tz', (date) => date.getUTCDay()),
  ),
  declare(
    'getHours',
    ...accessor('timestamp_to_hours', 'timestamp_to_hours_with_tz', (date) => date.getUTCHours()),
    ofDuration('duration_to_hours', floatSeconds(3600)),
  ),
  declare(
    'getMinutes',
    ...accessor('timestamp_to_minutes', 'timestamp_to_minutes_with_tz', (date) => date.getUTCMinutes()),
    ofDuration('duration_to_minutes', floatSeconds(60)),
  ),
  declare(
    'getSeconds',
    ...accessor('timestamp_to_seconds', 'timestamp_to_seconds_tz', (date) => date.getUTCSeconds()),
    ofDuration('duration_to_seconds', floatSeconds(1)),
  ),
  declare(
    'getMilliseconds',
    ...accessor('timestamp_to_milliseconds', 'timestamp_to_milliseconds_with_tz', (date) => date.getUTCMilliseconds()),
    ofDuration('duration_to_milliseconds', (duration) => duration.nanos / 1_000_000n),
  ),
];
