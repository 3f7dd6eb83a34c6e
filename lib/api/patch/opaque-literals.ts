import { isObject, type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { hasLiterals, literalAt, noteLiteral } from '#lib/machinery/number-literals.ts';

/**
 * Upstream's JSON and merge patches move values as raw JSON, so `80.0` stays `80.0` and does not equal 80. During a patch, such a number is
 * represented as a text that begins with a lone surrogate. No decoded text begins with one.
 */
const MARK = '\ud800';

/** Whether a number within a decoded value has a recorded literal. */
export function holdsLiterals(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return hasLiterals(value) || Object.values(value).some(holdsLiterals);
}

/** Returns a copy of a decoded object with opaque number literals, which equal only themselves. */
export function opaque(object: JsonObject): JsonObject {
  const copy: JsonObject = {};
  for (const field of Object.keys(object)) setField(copy, field, opaqueAt(object, field, object[field] as Json));
  return copy;
}

function opaqueAt(container: object, key: string | number, value: Json): Json {
  const literal = literalAt(container, key);
  if (literal !== undefined) return MARK + literal;
  if (Array.isArray(value)) return value.map((item, i) => opaqueAt(value, i, item));
  return isObject(value) ? opaque(value) : value;
}

/** Converts opaque literals in a value back to numbers in place, and records them for decoders. Returns the value. */
export function transparent<T extends Json>(value: T): T {
  if (Array.isArray(value)) for (const [i, item] of value.entries()) reveal(value, i, item, (one) => (value[i] = one));
  else if (isObject(value))
    for (const field of Object.keys(value))
      reveal(value, field, value[field] as Json, (one) => setField(value, field, one));
  return value;
}

function reveal(container: object, key: string | number, value: Json, put: (value: number) => void): void {
  if (typeof value !== 'string') transparent(value);
  else if (value.startsWith(MARK)) {
    const literal = value.slice(MARK.length);
    put(Number(literal));
    noteLiteral(container, key, literal);
  }
}

/** Restores opaque literals in JSON text to their original form. */
export const withLiterals = (json: string): string => json.replace(/"\\ud800([-+.\deE]+)"/g, '$1');
