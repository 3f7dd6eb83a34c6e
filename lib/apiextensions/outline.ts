import { parseStored } from '#lib/machinery/json.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';

/** In stored JSON this can only be the name of a field: within a text its quotes would be escaped. */
const SCHEMA = '"openAPIV3Schema":';
const NULL = Buffer.from('null');
const [QUOTE, ESCAPE, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d];

/** A stored definition with null for each of its schemas, which are most of it and are passed over unparsed. */
export function parseOutline(body: Uint8Array): JsonObject {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(SCHEMA); at >= 0; at = bytes.indexOf(SCHEMA, from)) {
    const value = at + SCHEMA.length;
    parts.push(bytes.subarray(from, value), NULL);
    from = bytes[value] === OPEN ? objectEnd(bytes, value) : value + NULL.length;
  }
  const outline = parseStored(Buffer.concat([...parts, bytes.subarray(from)]));
  if (!isObject(outline)) throw new TypeError('a stored definition is no object');
  return outline;
}

/** Behind the object that begins at `start`. */
function objectEnd(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let i = start; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) i = textEnd(bytes, i);
    else if (byte === OPEN) depth++;
    else if (byte === CLOSE && --depth === 0) return i + 1;
  }
  return bytes.length;
}

/** The quote that ends the text which begins at `start`. */
function textEnd(bytes: Buffer, start: number): number {
  let i = start + 1;
  for (let byte = bytes[i]; byte !== QUOTE && byte !== undefined; byte = bytes[++i]) if (byte === ESCAPE) i++;
  return i;
}
