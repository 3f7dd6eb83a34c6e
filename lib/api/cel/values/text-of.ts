import { Type } from '../types/type.ts';
import { formatDouble } from './double.ts';
import { durationText, timestampText } from './time.ts';
import { Duration, Timestamp, Uint, type Value } from './value.ts';

/** Formats a value within an error message like Go's `%v`. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return formatDouble(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Timestamp) return timestampText(value);
  return value instanceof Type ? value.name : 'object';
}
