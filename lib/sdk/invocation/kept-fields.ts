import { decodeJson } from '#lib/machinery/json.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import type { LogLine } from './invocation.ts';

/** The maximum number of fields in a line, and of characters in a name and a value. */
const FIELDS = 16;
const NAME = 64;
const VALUE = 256;

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a log line to store. They are limited in size, and exclude those already in `known`. */
export function keptFields(fields: Fields, known: Fields = {}): Pick<LogLine, 'fields'> {
  const present = Object.entries(fields).filter(([name, value]) => value !== undefined && known[name] !== value);
  const kept = present.slice(0, FIELDS).map(([name, value]) => [name.slice(0, NAME), keptValue(value)] as const);
  return kept.length === 0 ? {} : { fields: Object.fromEntries(kept) };
}

/** Keeps the beginning of a long value, as text. */
function keptValue(value: unknown): Json {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'string') return shortenedValue(value);
  const text = value instanceof Error ? undefined : jsonOf(value);
  if (text === undefined) return shortenedValue(String(value));
  return text.length > VALUE ? shortenedValue(text) : decodeJson(Buffer.from(text)).value;
}

const shortenedValue = (text: string): string => (text.length > VALUE ? `${text.slice(0, VALUE - 1)}…` : text);

/** Undefined if JSON cannot represent the value: a cycle, a bigint, a function. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
