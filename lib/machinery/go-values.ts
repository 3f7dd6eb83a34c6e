import { goNumber } from './go.ts';
import type { Json } from './json-value.ts';

/** The JSON type of a decoded value, with the names in upstream's messages. */
export function jsonKind(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'number';
  return typeof value;
}

/** Go's `reflect.TypeOf` of a decoded value, as `%s` prints it. */
export function goType(value: Json): string {
  if (value === null) return '%!s(<nil>)';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return typeof value === 'number' && !Number.isSafeInteger(value) ? 'float64' : 'int64';
}

/** Go's `%v` of a decoded value: `map[a:1 b:[x y]]`. */
export function goValue(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`;
  if (typeof value === 'number') return goNumber(value);
  if (typeof value !== 'object') return String(value);
  const fields = Object.keys(value).sort();
  return `map[${fields.map((field) => `${field}:${goValue(value[field] as Json)}`).join(' ')}]`;
}
