import { requestEntityTooLarge, type StatusError } from './errors.ts';
import { escapeHtml } from './go.ts';
import { parseExact, type DecodedJson } from './json-parser.ts';
import { isObject, objectAt, ownField, type Json, type JsonObject } from './json-value.ts';

/** Deeper nesting is refused; upstream's limit is 10,000, ours is what recursive code stands. */
const MAX_DEPTH = 1000;

/** What JSON.parse would get wrong: integers beyond 2^53, float64 overflow, lone surrogates. */
const NEEDS_EXACT = /(?:^|[:[,\s])-?\d[\d.]*(?:(?<=\d{16})|[eE]\+?\d{3})|\\u[dD][89a-fA-F]/;

/**
 * Decodes untrusted JSON as sigs.k8s.io/json does: int64 exact (beyond 2^53 as bigint), the last of duplicate fields wins
 * and each is reported. Throws JsonSyntaxError with Go's text, and a StatusError (413) beyond `maxValues`, which have no limit
 * by default.
 */
export function decodeJson(bytes: Uint8Array, options: DecodeOptions = {}): DecodedJson {
  const { maxDepth = MAX_DEPTH, maxValues = Number.POSITIVE_INFINITY } = options;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { fields, depth, values } = survey(buffer);
  // What is too deep is told by the exact decoder, in upstream's words.
  if (values > maxValues && depth <= maxDepth) throw tooManyValues(maxValues);
  const text = buffer.toString('utf8');
  const value = depth > maxDepth || NEEDS_EXACT.test(text) ? undefined : tryParse(text);
  if (value === undefined || fields !== countFields(value)) return parseExact(buffer, maxDepth);
  return { value, duplicates: [] };
}

export interface DecodeOptions {
  readonly maxDepth?: number;
  readonly maxValues?: number;
}

const tooManyValues = (limit: number): StatusError => requestEntityTooLarge(`limit is ${limit} fields and items`);

/** A decoded value again. Throws 413 where it holds more than `limit` fields and items. */
export function bounded<T extends Json>(value: T, limit: number): T {
  if (left(value, limit) < 0) throw tooManyValues(limit);
  return value;
}

/** How many of `limit` values are left behind these; negative, and not counted on, where there are more. */
function left(value: Json, limit: number): number {
  let rest = limit - 1;
  if (typeof value !== 'object' || value === null) return rest;
  if (Array.isArray(value)) for (let i = 0; i < value.length && rest >= 0; i++) rest = left(value[i] as Json, rest);
  else for (const field in value) if (rest >= 0) rest = left(value[field] as Json, rest);
  return rest;
}

/** The value of bytes that `encodeObject` wrote: int64 exact, nothing else checked. */
export function parseStored(bytes: Uint8Array): Json {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  return NEEDS_EXACT.test(text) ? parseExact(buffer, Number.POSITIVE_INFINITY).value : (JSON.parse(text) as Json);
}

function tryParse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/**
 * Fields (as many as colons outside strings), nesting, and values at least (each begins behind a bracket or a comma), right for
 * valid JSON. More fields than `countFields` finds: a duplicate.
 */
function survey(bytes: Buffer): { fields: number; depth: number; values: number } {
  let fields = 0;
  let values = 1;
  let depth = 0;
  let level = 0;
  const { length } = bytes;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] as number;
    if (byte === 0x22) i = stringEnd(bytes, i);
    else if (byte === 0x3a) fields++;
    else if (byte === 0x2c) values++;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++level > depth) depth = level;
      values++;
    } else if (byte === 0x7d || byte === 0x5d) level--;
  }
  return { fields, depth, values };
}

function stringEnd(bytes: Buffer, start: number): number {
  let i = start + 1;
  for (let byte = bytes[i]; byte !== undefined && byte !== 0x22; byte = bytes[++i]) if (byte === 0x5c) i++;
  return i;
}

function countFields(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countFields(item);
  else for (const field in value) count += 1 + countFields(value[field] as Json);
  return count;
}

/** JSON text as Go's encoding/json writes it, fields in the order they have: int64 exact; `<`, `>`, `&` escaped. */
export function encodeJson(value: Json): string {
  return escapeHtml(stringify(value));
}

/** JSON.stringify, and only where it meets a bigint, by hand. */
function stringify(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return stringifyExact(value);
  }
}

function stringifyExact(value: Json): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(stringifyExact).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value).map((field) => `${JSON.stringify(field)}:${stringifyExact(value[field] as Json)}`);
  return `{${fields.join(',')}}`;
}

/** Upstream's order of ObjectMeta's fields. */
const METADATA_FIELDS = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];
const NOT_HEAD = new Set(['kind', 'apiVersion', 'metadata']);
const NOT_METADATA = new Set(METADATA_FIELDS);

/**
 * The stored form of an object: kind, apiVersion, metadata, then the other fields as they stand. `metadata.resourceVersion` is
 * always there ("0" where unset), and no field before it can hold its text: `lib/storage/stamp.ts` overwrites it in place.
 */
export function encodeObject(object: JsonObject): Uint8Array {
  const parts: string[] = [];
  for (const field of ['kind', 'apiVersion']) addField(parts, field, ownField(object, field));
  parts.push(`"metadata":${encodeMetadata(objectAt(object, 'metadata') ?? {})}`);
  for (const field of Object.keys(object)) if (!NOT_HEAD.has(field)) addField(parts, field, object[field]);
  return Buffer.from(escapeHtml(`{${parts.join(',')}}`));
}

function encodeMetadata(metadata: JsonObject): string {
  const parts: string[] = [];
  for (const field of METADATA_FIELDS) {
    const value = ownField(metadata, field);
    addField(parts, field, field === 'resourceVersion' && typeof value !== 'string' ? '0' : value);
  }
  for (const field of Object.keys(metadata)) if (!NOT_METADATA.has(field)) addField(parts, field, metadata[field]);
  return `{${parts.join(',')}}`;
}

function addField(parts: string[], field: string, value: Json | undefined): void {
  if (value !== undefined) parts.push(`${JSON.stringify(field)}:${stringify(value)}`);
}
