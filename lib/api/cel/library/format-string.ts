import { quote } from '#lib/machinery/go.ts';
import { Type } from '../types/type.ts';
import { compareStrings } from '../values/compare.ts';
import { typeOf } from '../values/type-of.ts';
import { CelError, Duration, error, ListValue, MapValue, Timestamp, Uint, type Value } from '../values/value.ts';
import { fixedText, scientificText } from './decimal-text.ts';
import { type Clause, formatWith, textTooLong } from './format-clauses.ts';
import { textOf } from './text-of.ts';

const DEFAULT_PRECISION = 6;

/** cel-go's `string.format` of the strings extension before version 4. */
export function formatString(format: string, args: ListValue): string | CelError {
  return formatWith(format, args.size, (clause, index) => formatValue(clause, args.get(index)));
}

function formatValue({ verb, precision = DEFAULT_PRECISION }: Clause, value: Value): string | CelError {
  switch (verb) {
    case 's':
      return plain(value, { left: MAX_PARTS });
    case 'd':
      return (
        integerOf(value)?.toString() ?? error(`decimal clause can only be used on integers, was given ${name(value)}`)
      );
    case 'f':
      return real(value, (number) => fixedText(number, precision), 'fixed-point');
    case 'e':
      return real(value, (number) => scientificText(number, precision), 'scientific');
    case 'b':
      return binary(value);
    case 'o':
      return (
        integerOf(value)?.toString(8) ?? error(`octal clause can only be used on integers, was given ${name(value)}`)
      );
    default:
      return hex(value, verb === 'X');
  }
}

const name = (value: Value): string => typeOf(value).name;

function integerOf(value: Value): bigint | undefined {
  if (value instanceof Uint) return value.value;
  return typeof value === 'bigint' ? value : undefined;
}

const WORDS: ReadonlyMap<Value, number> = new Map<Value, number>([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

function real(value: Value, text: (number: number) => string, clause: string): string | CelError {
  const number = typeof value === 'number' ? value : WORDS.get(value);
  if (number !== undefined) return text(number);
  return error(`${clause} clause can only be used on doubles, was given ${name(value)}`);
}

function binary(value: Value): string | CelError {
  if (typeof value === 'boolean') return value ? '1' : '0';
  const text = integerOf(value)?.toString(2);
  return text ?? error(`only integers and bools can be formatted as binary, was given ${name(value)}`);
}

function hex(value: Value, upper: boolean): string | CelError {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  const text = bytes instanceof Uint8Array ? Buffer.from(bytes).toString('hex') : integerOf(bytes)?.toString(16);
  if (text === undefined) {
    return error(`only integers, byte buffers, and strings can be formatted as hex, was given ${name(value)}`);
  }
  return upper ? text.toUpperCase() : text;
}

/** The maximum number of characters in a formatted list or map. Values share parts, so a short expression could otherwise produce a huge string. */
const MAX_PARTS = 128 * 1024;

/** The remaining number of characters for the parts of a value. */
interface Room {
  left: number;
}

/** Formats `%s`, with strings unquoted. */
function plain(value: Value, room: Room): string | CelError {
  if (value === null) return 'null';
  if (value instanceof ListValue) return listText(value, room);
  if (value instanceof MapValue) return mapText(value, room);
  if (isPlain(value)) return textOf(value);
  return error(
    `string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ${name(value)}`,
  );
}

function isPlain(value: Value): boolean {
  if (typeof value !== 'object') return true;
  return [Uint, Uint8Array, Timestamp, Duration, Type].some((kind) => value instanceof kind);
}

function listText(list: ListValue, room: Room): string | CelError {
  const parts: string[] = [];
  for (let i = 0; i < list.size; i++) {
    const part = literal(list.get(i), room);
    if (part instanceof CelError) return part;
    parts.push(part);
  }
  return `[${parts.join(', ')}]`;
}

function mapText(map: MapValue, room: Room): string | CelError {
  const entries: [string, string][] = [];
  for (const key of map.keys()) {
    if (typeof key === 'number') return error('no formatting function for map key of type double');
    const keyText = literal(key, room);
    const value = literal(map.get(key) ?? null, room);
    if (keyText instanceof CelError) return keyText;
    if (value instanceof CelError) return value;
    entries.push([keyText, value]);
  }
  entries.sort(([a], [b]) => compareStrings(a, b));
  return `{${entries.map((entry) => entry.join(':')).join(', ')}}`;
}

/** Formats a value inside a list or map as a literal of the language. */
function literal(value: Value, room: Room): string | CelError {
  const text = literalText(value, room);
  // The parts of a list or map are already counted. The whole text is only two characters longer.
  room.left -= typeof text === 'string' && !(value instanceof ListValue || value instanceof MapValue) ? text.length : 2;
  return room.left < 0 ? textTooLong() : text;
}

function literalText(value: Value, room: Room): string | CelError {
  if (typeof value === 'number') return doubleLiteral(value);
  if (
    typeof value === 'object' &&
    value !== null &&
    !isPlain(value) &&
    !(value instanceof ListValue || value instanceof MapValue)
  ) {
    return error(`no formatting function for ${name(value)}`);
  }
  const text = plain(value, room);
  if (text instanceof CelError) return text;
  if (typeof value === 'string') return quote(text);
  if (value instanceof Uint8Array) return `b${quote(text)}`;
  if (value instanceof Timestamp) return `timestamp(${quote(text)})`;
  return value instanceof Duration ? `duration(${quote(text)})` : text;
}

function doubleLiteral(value: number): string {
  if (Number.isNaN(value)) return '"NaN"';
  if (!Number.isFinite(value)) return value < 0 ? '"-Inf"' : '"+Inf"';
  return fixedText(value, DEFAULT_PRECISION).replaceAll(',', '');
}
