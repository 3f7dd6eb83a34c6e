import { requestEntityTooLarge, type StatusError } from './errors.ts';
import { escapeHtml } from './go.ts';
import { type DecodedJson, JsonSyntaxError, parseExact } from './json-parser.ts';
import { isObject, type Json, type JsonObject } from './json-value.ts';

/** Deeper nesting is rejected. Upstream's limit is 10,000. This one is safe for recursive code. */
const MAX_DEPTH = 1000;

/** Integers with at least this many digits may be beyond 2^53. */
const LONG_INTEGER = 16;

/**
 * Decodes untrusted JSON like sigs.k8s.io/json. Integers are exact to int64 (bigint beyond 2^53). The last of duplicate fields wins, and
 * each duplicate is reported. Throws JsonSyntaxError with Go's text, and a StatusError (413) for more than `maxValues` values, which is
 * unlimited by default.
 */
export function decodeJson(bytes: Uint8Array, options: DecodeOptions = {}): DecodedJson {
  const { maxDepth = MAX_DEPTH, maxValues = Number.POSITIVE_INFINITY, literals = false } = options;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { fields, depth, values, needsExact, hasLiterals } = survey(buffer);
  // For excessive depth, the exact decoder throws upstream's error.
  if (values > maxValues && depth <= maxDepth) throw tooManyValues(maxValues);
  const isExact = depth > maxDepth || needsExact || (literals && hasLiterals);
  const value = isExact ? undefined : tryParse(buffer.toString('utf8'));
  if (value === undefined || fields !== countFields(value)) return parseExact(buffer, maxDepth, literals);
  return { value, duplicates: [] };
}

/** Limits on a document's nesting depth and its number of fields and items. A document above a limit is rejected. */
export interface DecodeOptions {
  readonly maxDepth?: number;
  readonly maxValues?: number;
  /** Records number literals such as `80.0` (`number-literals.ts`), for decoders that distinguish int64 from float64. Default false. */
  readonly literals?: boolean;
}

/** The number of fields and items in a value, including the value itself. Stops counting at `limit` and then returns `limit` + 1. */
export const countValues = (value: Json, limit: number): number => Math.min(limit - left(value, limit), limit + 1);

/** A 413 for a document with more than `limit` fields and items. */
export const tooManyValues = (limit: number): StatusError =>
  requestEntityTooLarge(`limit is ${limit} fields and items`);

/** Returns the decoded value. Throws 413 if it has more than `limit` fields and items. */
export function bounded<T extends Json>(value: T, limit: number): T {
  if (left(value, limit) < 0) throw tooManyValues(limit);
  return value;
}

/** The rest of `limit` after counting these values. Stops counting as soon as it is negative. */
function left(value: Json, limit: number): number {
  let rest = limit - 1;
  if (typeof value !== 'object' || value === null) return rest;
  if (Array.isArray(value)) for (let i = 0; i < value.length && rest >= 0; i++) rest = left(value[i] as Json, rest);
  else for (const field in value) if (rest >= 0) rest = left(value[field] as Json, rest);
  return rest;
}

/** Parses bytes that `encodeObject` wrote. Integers are exact to int64. Checks only the syntax. */
export function parseStored(bytes: Uint8Array): Json {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (survey(buffer).needsExact) return parseExact(buffer, Number.POSITIVE_INFINITY).value;
  const value = tryParse(buffer.toString('utf8'));
  // The engine's error quotes the text, which may be from a Secret.
  if (value === undefined) throw new JsonSyntaxError('what is stored is no JSON');
  return value;
}

function tryParse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

interface Survey {
  /** The number of colons outside strings. If `countFields` returns fewer, a field is duplicated. */
  readonly fields: number;
  readonly depth: number;
  /** The minimum number of values. Each value follows a bracket or a comma. */
  readonly values: number;
  /** Whether JSON.parse may be inexact: integers beyond 2^53, float64 overflow, lone surrogates. */
  readonly needsExact: boolean;
  /** Whether an encoder may write a number differently: it has an exponent, or a fraction that ends in a zero. */
  readonly hasLiterals: boolean;
}

/** Scans the bytes once. Correct only for valid JSON. */
function survey(bytes: Buffer): Survey {
  let [fields, values, depth, level, digits] = [0, 1, 0, 0, 0];
  let [needsExact, hasLiterals] = [false, false];
  const { length } = bytes;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits === LONG_INTEGER) needsExact = true;
      continue;
    }
    if (byte === 0x22) {
      for (let next = bytes[++i]; next !== undefined && next !== 0x22; next = bytes[++i]) {
        if (next === 0x5c && isSurrogate(bytes, ++i)) needsExact = true;
      }
    } else if (byte === 0x3a) fields++;
    else if (byte === 0x2c) values++;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++level > depth) depth = level;
      values++;
    } else if (byte === 0x7d || byte === 0x5d) level--;
    else if (byte === 0x2e) {
      for (digits = 0; isDigit(bytes[i + 1]); i++) digits++;
      if (digits >= LONG_INTEGER) needsExact = true;
      if (bytes[i] === 0x30) hasLiterals = true;
      continue;
    } else if (digits > 0 && (byte | 0x20) === 0x65) {
      hasLiterals = true;
      if (isLongExponent(bytes, i + 1)) needsExact = true;
    }
    digits = 0;
  }
  return { fields, depth, values, needsExact, hasLiterals };
}

/** Whether `uD8` to `uDF` follows a backslash. */
const isSurrogate = (bytes: Buffer, at: number): boolean =>
  bytes[at] === 0x75 && ((bytes[at + 1] as number) | 0x20) === 0x64 && (bytes[at + 2] as number) >= 0x38;

/** Whether three digits follow, with an optional plus sign before them. */
function isLongExponent(bytes: Buffer, start: number): boolean {
  const at = bytes[start] === 0x2b ? start + 1 : start;
  return isDigit(bytes[at]) && isDigit(bytes[at + 1]) && isDigit(bytes[at + 2]);
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

function countFields(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countFields(item);
  else for (const field in value) count += 1 + countFields(value[field] as Json);
  return count;
}

/** Encodes JSON like Go's encoding/json, with fields in their current order: int64 exact; `<`, `>`, `&` escaped. */
export function encodeJson(value: Json): string {
  return escapeHtml(stringify(value));
}

/** JSON.stringify, with a slower fallback for values that contain a bigint. */
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
  const given = Object.keys(value).filter((field) => value[field] !== undefined);
  const fields = given.map((field) => `${JSON.stringify(field)}:${stringifyExact(value[field] as Json)}`);
  return `{${fields.join(',')}}`;
}

/**
 * The stored form of an object: kind, apiVersion, metadata, then the other fields in their current order. `metadata.resourceVersion` is
 * always present ("0" if unset). No field before it can contain its text, so `lib/storage/stamp.ts` can overwrite it in place.
 */
export function encodeObject(object: JsonObject): Uint8Array {
  const { kind, apiVersion, metadata, ...rest } = object;
  const parts = [
    fieldsOf({ kind, apiVersion }),
    `"metadata":${encodeMetadata(isObject(metadata) ? metadata : {})}`,
    fieldsOf(rest),
  ];
  return Buffer.from(escapeHtml(`{${parts.filter((part) => part !== '').join(',')}}`));
}

/** Encodes known fields in upstream's order, then all others. */
function encodeMetadata(metadata: JsonObject): string {
  const { name, generateName, namespace, selfLink, uid, resourceVersion, generation, ...behind } = metadata;
  const { creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, labels, annotations, ...last } = behind;
  const { ownerReferences, finalizers, managedFields, ...unknown } = last;
  const known = {
    name,
    generateName,
    namespace,
    selfLink,
    uid,
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '0',
    generation,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    labels,
    annotations,
    ownerReferences,
    finalizers,
    managedFields,
  };
  const rest = fieldsOf(unknown);
  return `{${fieldsOf(known)}${rest === '' ? '' : `,${rest}`}}`;
}

/** An object's fields without its braces. Omits undefined ones. */
function fieldsOf(fields: Partial<JsonObject>): string {
  return stringify(fields as JsonObject).slice(1, -1);
}
