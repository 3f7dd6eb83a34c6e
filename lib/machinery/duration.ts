import { MAX_INT64 } from './integer-limits.ts';
import { TimeError, timeQuote } from './time.ts';

const UNITS = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const MAX_LENGTH = 256;

/** Go's time.ParseDuration, in nanoseconds. Throws TimeError. */
export function parseDuration(text: string): bigint {
  const sign = /^[+-]/.test(text) ? text.charAt(0) : '';
  let rest = text.slice(sign.length);
  if (rest === '0') return 0n;
  if (rest === '' || text.length > MAX_LENGTH) throw invalid(text);
  let total = 0n;
  while (rest !== '') {
    const part = /^(?=\.?\d)(\d*)(?:\.(\d*))?([^.\d]*)/.exec(rest);
    if (part === null) throw invalid(text);
    total += nanoseconds(text, part);
    rest = rest.slice(part[0].length);
  }
  if (total > (sign === '-' ? MAX_INT64 + 1n : MAX_INT64)) throw invalid(text);
  return sign === '-' ? -total : total;
}

function nanoseconds(text: string, [, whole = '', fraction = '', name = '']: RegExpExecArray): bigint {
  if (name === '') throw new TimeError(`time: missing unit in duration ${timeQuote(text)}`);
  const unit = UNITS.get(name);
  if (unit === undefined) throw new TimeError(`time: unknown unit ${timeQuote(name)} in duration ${timeQuote(text)}`);
  return BigInt(whole) * unit + (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length);
}

/** The duration in whole milliseconds. Throws TimeError. */
export const millisecondsOf = (text: string): number => Number(parseDuration(text) / 1_000_000n);

/** Whether the text is a duration of at least a millisecond. */
export function isPositiveDuration(text: string): boolean {
  try {
    return parseDuration(text) >= 1_000_000n;
  } catch (error) {
    if (error instanceof TimeError) return false;
    throw error;
  }
}

const invalid = (text: string): TimeError => new TimeError(`time: invalid duration ${timeQuote(text)}`);

/** Go's Duration.String: `1h0m0.5s`, `1.5µs`, `0s`. */
export function durationText(duration: bigint): string {
  if (duration === 0n) return '0s';
  const sign = duration < 0n ? '-' : '';
  const size = duration < 0n ? -duration : duration;
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 3)}µs`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 6)}ms`;
  const minutes = size / 60_000_000_000n;
  const seconds = `${decimal(size % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  const hours = minutes / 60n;
  return `${sign}${hours === 0n ? '' : `${hours}h`}${minutes % 60n}m${seconds}`;
}

/** Formats `value / 10^digits` without trailing zeros. */
function decimal(value: bigint, digits: number): string {
  const divisor = 10n ** BigInt(digits);
  const fraction = String(value % divisor)
    .padStart(digits, '0')
    .replace(/0+$/, '');
  return `${value / divisor}${fraction === '' ? '' : `.${fraction}`}`;
}
