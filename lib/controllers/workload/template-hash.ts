import { fnv1a32 } from '#lib/machinery/fnv.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * The hash of a template and the collision count, in the alphabet of generated names. Upstream hashes Go's dump of the struct.
 * The form is the same, but the value differs, and no client computes it.
 */
export function templateHash(template: JsonObject, collisions: number | undefined): string {
  const said = `${canonical(template)}${collisions === undefined ? '' : `#${collisions}`}`;
  return [...String(fnv1a32(said))].map((digit) => ALPHABET[digit.charCodeAt(0) % ALPHABET.length]).join('');
}

/** The same text for all equal values, with sorted fields. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((field) => `${JSON.stringify(field)}:${canonical(value[field] ?? null)}`).join()}}`;
}
