import { formatFloat } from '#lib/machinery/yaml-scalar.ts';
import { Type } from '../types/type.ts';
import { Duration, error, Timestamp, Uint, type CelError, type Value } from '../values/value.ts';

/** What `string(value)` yields of the language's own values without parts. */
export function textOf(value: Value): string | CelError {
  if (typeof value === 'number') return doubleText(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Type) return value.name;
  if (value instanceof Duration) return `${decimal(value.nanos)}s`;
  if (value instanceof Timestamp) return timestampText(value.nanos);
  if (value instanceof Uint8Array) return bytesText(value);
  return String(value);
}

function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Inf' : '+Inf';
  return Object.is(value, -0) ? '-0' : formatFloat(value);
}

const BILLION = 1_000_000_000n;

/** Billionths as a decimal number without zeros at its end. */
function decimal(nanos: bigint): string {
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = fractionText(size % BILLION);
  return `${nanos < 0n ? '-' : ''}${size / BILLION}${fraction}`;
}

function fractionText(nanos: bigint): string {
  return nanos === 0n ? '' : `.${nanos.toString().padStart(9, '0').replace(/0+$/, '')}`;
}

function timestampText(nanos: bigint): string {
  const within = ((nanos % BILLION) + BILLION) % BILLION;
  const date = new Date(Number((nanos - within) / 1_000_000n));
  return `${date.toISOString().slice(0, 19)}${fractionText(within)}Z`;
}

function bytesText(bytes: Uint8Array): string | CelError {
  const text = Buffer.from(bytes).toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : error('invalid UTF-8 in bytes, cannot convert to string');
}
