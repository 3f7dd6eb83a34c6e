import { MAX_INT64, MAX_UINT64, MIN_INT64 } from '#lib/machinery/integer-limits.ts';
import { declare, type FunctionDeclaration, global, type Overload } from '../functions/function.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  paramType,
  stringType,
  type Type,
  timestampType,
  typeOfType,
  uintType,
} from '../types/type.ts';
import { formatDouble } from '../values/double.ts';
import { int, intOverflow, uint, uintOverflow } from '../values/int.ts';
import {
  durationText,
  isTimestamp,
  parseDuration,
  parseTimestamp,
  timestampOfSeconds,
  timestampText,
  unixSeconds,
} from '../values/time.ts';
import { typeOf } from '../values/type-of.ts';
import { CelError, Duration, type Result, type Timestamp, type Uint, type Value } from '../values/value.ts';

const paramA = paramType('A');
const timestampOverflow = new CelError('timestamp overflow');
const same = (value: Value): Result => value;

function from(id: string, type: Type, to: Type, call: Overload['call']): Overload {
  return global(id, [type], to, call);
}

function fromString(to: Type, parse: (text: string) => Value | undefined): (text: string) => Result {
  const fault = new CelError(`type conversion error from 'string' to '${to.name}'`);
  return (text) => parse(text) ?? fault;
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,1000}$/.test(text)) return undefined;
  const value = int(BigInt(text.replace('+', '')));
  return value instanceof CelError ? undefined : value;
}

function parseUnsigned(text: string): Value | undefined {
  if (!/^\d{1,1000}$/.test(text)) return undefined;
  const value = uint(BigInt(text));
  return value instanceof CelError ? undefined : value;
}

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const infinity = /^([+-]?)inf(?:inity)?$/i;

function parseDouble(text: string): number | undefined {
  const match = infinity.exec(text);
  if (match) return match[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (text.toLowerCase() === 'nan') return Number.NaN;
  const value = number.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** Rounds toward zero. The limits of int64 themselves count as out of range, because cel-go compares floats. */
function doubleToInt(value: number): Result {
  const fits = value > MIN_INT64 && value <= MAX_INT64;
  return fits ? BigInt(Math.trunc(value)) : intOverflow;
}

function doubleToUint(value: number): Result {
  return value >= 0 && value <= MAX_UINT64 ? uint(BigInt(Math.trunc(value))) : uintOverflow;
}

function bytesToString(bytes: Uint8Array): Result {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (Buffer.compare(new TextEncoder().encode(text), bytes) === 0) return text;
  return new CelError('invalid UTF-8 in bytes, cannot convert to string');
}

function parseTime(text: string): Result | undefined {
  const time = parseTimestamp(text);
  return time && !isTimestamp(time.nanos) ? timestampOverflow : time;
}

const notTime = new CelError("type conversion error from 'string' to 'google.protobuf.Timestamp'");

/** Type conversions, named after their result type. */
export const conversion: readonly FunctionDeclaration[] = [
  declare('type', global('type', [paramA], typeOfType(paramA), typeOf)),
  declare('dyn', global('to_dyn', [paramA], dynType, same)),
  declare(
    'bool',
    from('bool_to_bool', boolType, boolType, same),
    from(
      'string_to_bool',
      stringType,
      boolType,
      fromString(boolType, (text) => booleans.get(text)),
    ),
  ),
  declare(
    'bytes',
    from('bytes_to_bytes', bytesType, bytesType, same),
    from('string_to_bytes', stringType, bytesType, (text: string) => new TextEncoder().encode(text)),
  ),
  declare(
    'double',
    from('double_to_double', doubleType, doubleType, same),
    from('int64_to_double', intType, doubleType, (value: bigint) => Number(value)),
    from('string_to_double', stringType, doubleType, fromString(doubleType, parseDouble)),
    from('uint64_to_double', uintType, doubleType, (value: Uint) => Number(value.value)),
  ),
  declare(
    'duration',
    from('duration_to_duration', durationType, durationType, same),
    from('int64_to_duration', intType, durationType, (value: bigint) => new Duration(value)),
    from('string_to_duration', stringType, durationType, fromString(durationType, parseDuration)),
  ),
  declare(
    'int',
    from('int64_to_int64', intType, intType, same),
    from('double_to_int64', doubleType, intType, doubleToInt),
    from('duration_to_int64', durationType, intType, (value: Duration) => value.nanos),
    from('string_to_int64', stringType, intType, fromString(intType, parseInteger)),
    from('timestamp_to_int64', timestampType, intType, (value: Timestamp) => unixSeconds(value.nanos)),
    from('uint64_to_int64', uintType, intType, (value: Uint) => int(value.value)),
  ),
  declare(
    'string',
    from('string_to_string', stringType, stringType, same),
    from('bool_to_string', boolType, stringType, String),
    from('bytes_to_string', bytesType, stringType, bytesToString),
    from('double_to_string', doubleType, stringType, formatDouble),
    from('duration_to_string', durationType, stringType, durationText),
    from('int64_to_string', intType, stringType, String),
    from('timestamp_to_string', timestampType, stringType, timestampText),
    from('uint64_to_string', uintType, stringType, (value: Uint) => String(value.value)),
  ),
  declare(
    'timestamp',
    from('timestamp_to_timestamp', timestampType, timestampType, same),
    from('int64_to_timestamp', intType, timestampType, (s: bigint) => timestampOfSeconds(s) ?? timestampOverflow),
    from('string_to_timestamp', stringType, timestampType, (text: string) => parseTime(text) ?? notTime),
  ),
  declare(
    'uint',
    from('uint64_to_uint64', uintType, uintType, same),
    from('double_to_uint64', doubleType, uintType, doubleToUint),
    from('int64_to_uint64', intType, uintType, (value: bigint) => uint(value)),
    from('string_to_uint64', stringType, uintType, fromString(uintType, parseUnsigned)),
  ),
];
