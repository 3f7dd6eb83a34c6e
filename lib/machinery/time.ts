/** A point in time: seconds since 1970, and nanoseconds within the second. */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

/** An invalid time or duration. The message is that of Go's `time`. */
export class TimeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TimeError';
  }
}

const ZERO_TIME = -62_135_596_800;
const RFC3339 = '2006-01-02T15:04:05Z07:00';
const RFC3339_MICRO = '2006-01-02T15:04:05.000000Z07:00';

/** Parses a `metav1.Time`. As in Go, an hour may have one digit and seconds a fraction. Throws TimeError. */
export const parseTime = (text: string): Instant => parse(text, RFC3339);

/** Parses a `metav1.MicroTime`, which has exactly six fractional digits. Throws TimeError. */
export const parseMicroTime = (text: string): Instant => parse(text, RFC3339_MICRO);

/** The instant of a date in seconds since 1970 and nanoseconds. */
export function instantOf(date: Date): Instant {
  const seconds = Math.floor(date.getTime() / 1000);
  return { seconds, nanos: (date.getTime() - seconds * 1000) * 1_000_000 };
}
/** The date of an instant, truncated to milliseconds. */
export const dateOf = ({ seconds, nanos }: Instant): Date => new Date(seconds * 1000 + Math.floor(nanos / 1_000_000));

/** Formats a time as in objects: UTC, whole seconds. Go's zero time is null. */
export function timeText(instant: Instant): string | null {
  return isZero(instant) ? null : `${utc(instant.seconds)}Z`;
}

/** Formats a time as in objects: UTC, microseconds. Go's zero time is null. */
export function microTimeText(instant: Instant): string | null {
  if (isZero(instant)) return null;
  return `${utc(instant.seconds)}.${String(Math.floor(instant.nanos / 1000)).padStart(6, '0')}Z`;
}

const isZero = ({ seconds, nanos }: Instant): boolean => seconds === ZERO_TIME && nanos === 0;

function utc(seconds: number): string {
  const date = new Date(seconds * 1000);
  const year = date.getUTCFullYear();
  const digits = String(Math.abs(year)).padStart(4, '0');
  return `${year < 0 ? '-' : ''}${digits}${/-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(date.toISOString())?.[0]}`;
}

interface Cursor {
  readonly text: string;
  readonly layout: string;
  rest: string;
}

function parse(text: string, layout: string): Instant {
  const cursor: Cursor = { text, layout, rest: text };
  const year = Number(take(cursor, /^\d{4}/, '2006'));
  literal(cursor, '-');
  const month = inRange(cursor, Number(take(cursor, /^\d\d/, '01')), 'month', 1, 12);
  literal(cursor, '-');
  const day = Number(take(cursor, /^\d\d/, '02'));
  literal(cursor, 'T');
  const hour = inRange(cursor, Number(take(cursor, /^\d\d?/, '15')), 'hour', 0, 23);
  literal(cursor, ':');
  const minute = inRange(cursor, Number(take(cursor, /^\d\d/, '04')), 'minute', 0, 59);
  literal(cursor, ':');
  const second = inRange(cursor, Number(take(cursor, /^\d\d/, '05')), 'second', 0, 59);
  const nanos = fraction(cursor);
  const offset = zone(cursor);
  if (cursor.rest !== '') throw wrong(cursor, `: extra text: ${timeQuote(cursor.rest)}`);
  const days = daysSince1970(year, month, day);
  if (days === undefined) throw wrong(cursor, ': day out of range');
  return { seconds: days * 86_400 + hour * 3600 + minute * 60 + second - offset, nanos };
}

function take(cursor: Cursor, pattern: RegExp, element: string): string {
  const found = pattern.exec(cursor.rest)?.[0];
  if (found === undefined) throw cannot(cursor, element);
  cursor.rest = cursor.rest.slice(found.length);
  return found;
}

function literal(cursor: Cursor, character: string): void {
  if (!cursor.rest.startsWith(character)) throw cannot(cursor, character);
  cursor.rest = cursor.rest.slice(1);
}

function inRange(cursor: Cursor, value: number, what: string, low: number, high: number): number {
  if (value < low || value > high) throw wrong(cursor, `: ${what} out of range`);
  return value;
}

/** Parses the fraction as nanoseconds. */
function fraction(cursor: Cursor): number {
  const exact = cursor.layout === RFC3339_MICRO;
  if (!exact && !/^[.,]\d/.test(cursor.rest)) return 0;
  const digits = take(cursor, exact ? /^[.,]\d{6}/ : /^[.,]\d+/, '.000000').slice(1, 10);
  return Number(digits.padEnd(9, '0'));
}

/** Parses the zone as seconds east of UTC. */
function zone(cursor: Cursor): number {
  const text = take(cursor, /^(?:Z|[+-]\d\d:\d\d)/, 'Z07:00');
  if (text === 'Z') return 0;
  const hours = inRange(cursor, Number(text.slice(1, 3)), 'time zone offset hour', 0, 24);
  const minutes = inRange(cursor, Number(text.slice(4)), 'time zone offset minute', 0, 60);
  return (text.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60);
}

function daysSince1970(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / 86_400_000 : undefined;
}

function cannot(cursor: Cursor, element: string): TimeError {
  return wrong(cursor, ` as ${timeQuote(cursor.layout)}: cannot parse ${timeQuote(cursor.rest)} as "${element}"`);
}

const wrong = (cursor: Cursor, why: string): TimeError => new TimeError(`parsing time ${timeQuote(cursor.text)}${why}`);

/** Quotes like package time, with every byte that is not printable ASCII in hexadecimal. */
export function timeQuote(text: string): string {
  const escaped = text
    .replace(/["\\]/g, '\\$&')
    .replace(/[^\x20-\x7e]/gu, (rune) =>
      rune === '\x7f'
        ? rune
        : [...Buffer.from(rune)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
    );
  return `"${escaped}"`;
}
