import { parseDuration } from '#lib/machinery/duration.ts';
import { MAX_INT64 } from '#lib/machinery/integer-limits.ts';
import { TimeError } from '#lib/machinery/time.ts';

const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** RFC 3339's full-date. */
export function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const days = MONTH_DAYS[Number(month) - 1];
  if (days === undefined || Number(day) < 1 || Number(day) > days) return false;
  const leap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  return leap || month !== '02' || day !== '29';
}

/**
 * RFC 3339's date-time, as lenient as upstream. Any character may precede the fraction, case is ignored, and everything after a second `T`
 * is ignored.
 */
export function isDateTime(text: string): boolean {
  if (text.length < 4) return false;
  const [date = '', time] = text.toLowerCase().split('t', 2);
  if (time === undefined || !isDate(date)) return false;
  const [, hour = '', minute = '', second = ''] =
    /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u.exec(time) ?? [];
  return hour !== '' && hour <= '23' && minute <= '59' && second <= '59';
}

/** Matches runs of digits, spaces, letters and others, in one pass over untrusted text. */
const TOKENS = /\d+|\s+|[A-Za-z\u00b5]+|[^\d\sA-Za-z\u00b5]+/g;
/** Unit names. The last name of each unit matches as a prefix. */
const UNITS = [
  ['ns', 'nano'],
  ['us', 'µs', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
];

/** Whether the text is a Go duration, or contains a number and a unit name anywhere. */
export function isDuration(text: string): boolean {
  if (isGoDuration(text)) return true;
  let found = false;
  let digits: string | undefined;
  for (const [token] of text.matchAll(TOKENS)) {
    if (/^\d/.test(token)) digits = token;
    else if (/^[A-Za-z\u00b5]/.test(token) && digits !== undefined) {
      if (isTooLarge(digits)) return false;
      found ||= UNITS.some((names) => isUnit(names, token.toLowerCase()));
      digits = undefined;
    } else if (!/^\s/.test(token)) digits = undefined;
  }
  return found;
}

/** The maximum length of a duration. The error of a longer one would quote the whole text. */
const MAX_GO_DURATION = 256;

function isGoDuration(text: string): boolean {
  if (text.length > MAX_GO_DURATION) return false;
  try {
    parseDuration(text);
    return true;
  } catch (error) {
    if (error instanceof TimeError) return false;
    throw error;
  }
}

/** Whether the number exceeds int64. */
function isTooLarge(digits: string): boolean {
  const significant = digits.replace(/^0+/, '');
  return significant.length > 19 || BigInt(significant || '0') > MAX_INT64;
}

function isUnit(names: readonly string[], unit: string): boolean {
  return names.includes(unit) || unit.startsWith(names.at(-1) as string);
}
