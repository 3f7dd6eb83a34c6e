import { decodeJson } from '#lib/machinery/json.ts';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { isObject, type Json } from '#lib/machinery/json-value.ts';

/** The error of encoding/json if the bytes are not a JSON object (or null). Undefined if they are. */
export function goJsonError(bytes: Uint8Array): string | undefined {
  try {
    return typeError(decodeJson(bytes).value);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
}

function typeError(value: Json): string | undefined {
  if (isObject(value) || value === null) return undefined;
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${kind === 'bigint' ? 'number' : kind} into Go value of type map[string]interface {}`;
}
