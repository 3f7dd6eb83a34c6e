import { formatFloat } from '#lib/machinery/yaml-scalar.ts';
import { Type } from '../types/type.ts';
import { durationText, timestampText } from '../values/time.ts';
import { type CelError, Duration, error, Timestamp, Uint, type Value } from '../values/value.ts';

/** Evaluates `string(value)` for scalars, types, durations and timestamps. */
export function textOf(value: Value): string | CelError {
  if (typeof value === 'number') return doubleText(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Type) return value.name;
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Uint8Array) return bytesText(value);
  return String(value);
}

function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Inf' : '+Inf';
  return Object.is(value, -0) ? '-0' : formatFloat(value);
}

function bytesText(bytes: Uint8Array): string | CelError {
  const text = Buffer.from(bytes).toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : error('invalid UTF-8 in bytes, cannot convert to string');
}
