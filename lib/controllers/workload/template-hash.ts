import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * The hash of a template, and of how often hashes were found taken, in the letters of generated names. Upstream hashes Go's
 * dump of the struct: the form is the same, the value is not, and no client reckons it.
 */
export function templateHash(template: JsonObject, collisions: number | undefined): string {
  const said = `${canonical(template)}${collisions === undefined ? '' : `#${collisions}`}`;
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(said)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return [...String(hash)].map((digit) => ALPHABET[digit.charCodeAt(0) % ALPHABET.length]).join('');
}

/** One text for all equal values: fields in order. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((field) => `${JSON.stringify(field)}:${canonical(value[field] ?? null)}`).join()}}`;
}
