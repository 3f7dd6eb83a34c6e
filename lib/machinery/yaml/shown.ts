import { quote } from '../go.ts';
import { isObject, type Json } from '../json-value.ts';
import { formatFloat } from '../yaml-scalar.ts';

/** A decoded value in Go's `%#v` format. Keys that are not strings are shown as strings. */
export const shownValue = (value: Json): string => (value === null ? '<nil>' : inside(value));

function inside(value: Json): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return formatFloat(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(inside).join(', ')}}`;
  if (!isObject(value)) return String(value);
  const fields = Object.keys(value)
    .sort()
    .map((name) => `${quote(name)}:${inside(value[name] as Json)}`);
  return `map[interface {}]interface {}{${fields.join(', ')}}`;
}
