import { MAX_INT64, MIN_INT64 } from '#lib/machinery/integer-limits.ts';
import { formatPlain } from './double.ts';
import { Duration, Timestamp } from './value.ts';

const second = 1_000_000_000n;
const minSeconds = -62_135_596_800n;
const maxSeconds = 253_402_300_799n;

/** Returns Unix seconds, rounded down. */
export function unixSeconds(nanos: bigint): bigint {
  const seconds = nanos / second;
  return nanos < 0n && nanos % second !== 0n ? seconds - 1n : seconds;
}

/** Whether the instant is in the years 1 to 9999. */
export function isTimestamp(nanos: bigint): boolean {
  const seconds = unixSeconds(nanos);
  return seconds >= minSeconds && seconds <= maxSeconds;
}

/** Returns the timestamp of seconds since 1970; undefined outside the years 1 to 9999. */
export function timestampOfSeconds(seconds: bigint): Timestamp | undefined {
  return seconds < minSeconds || seconds > maxSeconds ? undefined : new Timestamp(seconds * second);
}

/** Whether a number fits into a signed 64-bit integer. */
export function isInt64(value: bigint): boolean {
  return value <= MAX_INT64 && value >= MIN_INT64;
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Parses an RFC 3339 time; undefined if it is invalid. The instant may be out of range. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = rfc3339.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, seconds] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || seconds > 59) return undefined;
  const [offsetHours, offsetMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (offsetHours > 24 || offsetMinutes > 60) return undefined;
  const offset = (match[8] === '-' ? -1 : 1) * (offsetHours * 3600 + offsetMinutes * 60);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, seconds);
  const whole = BigInt(date.getTime() / 1000 - offset) * second;
  return new Timestamp(whole + BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0')), offset);
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** Formats RFC 3339 with as many decimals as needed. */
export function timestampText({ nanos, offset }: Timestamp): string {
  const seconds = unixSeconds(nanos) + BigInt(offset);
  const base = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  const fraction = String(nanos - unixSeconds(nanos) * second)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${base}${fraction && `.${fraction}`}${zoneText(offset)}`;
}

function zoneText(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.trunc(Math.abs(offset) / 60);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
}

/** Returns seconds as Go's float. */
export function durationSeconds({ nanos }: Duration): number {
  return Number(nanos / second) + Number(nanos % second) / 1e9;
}

/** Formats the duration in seconds, like `string(duration)`: `1.5s`. */
export function durationText(duration: Duration): string {
  return `${formatPlain(durationSeconds(duration))}s`;
}

const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['μs', 1000n],
  ['ms', 1_000_000n],
  ['s', second],
  ['m', 60n * second],
  ['h', 3600n * second],
]);
const part = /(\d*)(?:\.(\d*))?(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/y;

/** Parses a duration like Go's `time.ParseDuration`: `1h30m`, `-1.5s`, `0`. */
export function parseDuration(text: string): Duration | undefined {
  const negative = text.startsWith('-');
  const body = negative || text.startsWith('+') ? text.slice(1) : text;
  if (body === '0') return new Duration(0n);
  if (body === '' || body.length > 200) return undefined;
  let nanos = 0n;
  for (part.lastIndex = 0; part.lastIndex < body.length; ) {
    const match = part.exec(body);
    const amount = match && partNanos(match[1] ?? '', match[2] ?? '', units.get(match[3] ?? '') ?? 0n);
    if (amount === undefined || amount === null) return undefined;
    nanos += amount;
  }
  const signed = negative ? -nanos : nanos;
  return isInt64(signed) ? new Duration(signed) : undefined;
}

function partNanos(whole: string, fraction: string, unit: bigint): bigint | undefined {
  if (whole === '' && fraction === '') return undefined;
  const digits = fraction.slice(0, 18);
  return BigInt(whole || '0') * unit + (BigInt(digits || '0') * unit) / 10n ** BigInt(digits.length);
}
