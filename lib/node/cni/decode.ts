import { jsonKind } from '#lib/machinery/go-values.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';

/** The limits for configurations, results and cache files, because plugins and files are not trusted. */
const LIMITS = { maxDepth: 64, maxValues: 50_000 };

/** Decodes JSON like Go into a map: numbers are float64. Throws JsonSyntaxError, and StatusError if the JSON is too large. */
export function decodeUntrusted(bytes: Uint8Array): Json {
  return asFloats(decodeJson(bytes, LIMITS).value);
}

/** Decodes a JSON object in the same way. null becomes an empty object. Throws Error with Go's message for anything else. */
export function decodeMap(bytes: Uint8Array): JsonObject {
  const value = decodeUntrusted(bytes);
  if (value === null) return {};
  if (!isObject(value))
    throw new Error(`json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`);
  return value;
}

/** Go's `%T` of a value that was decoded into an interface. */
export function goType(value: Json): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (value === null) return '<nil>';
  if (isObject(value)) return 'map[string]interface {}';
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'bool' : 'float64';
}

function asFloats(value: Json): Json {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(asFloats);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [field, item] of Object.entries(value)) setField(copy, field, asFloats(item));
  return copy;
}
