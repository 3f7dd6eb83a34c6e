import { quote } from './go.ts';
import { MAX_INT64, MIN_INT64 } from './integer-limits.ts';
import { type Json, type JsonObject, setField } from './json-value.ts';
import { literalAt, noteLiteral } from './number-literals.ts';
import { StrictFindings } from './strict-findings.ts';

/** Malformed JSON. The message is that of Go's encoding/json. */
export class JsonSyntaxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JsonSyntaxError';
  }
}

/** A decoded document and its duplicate fields. */
export interface DecodedJson {
  readonly value: Json;
  /** Upstream's strict decoding errors, in document order, without repeats, at most 100: `duplicate field "spec.replicas"`. */
  readonly duplicates: string[];
  /** All values of repeated fields. A typed decoder merges them, but the parsed value contains only the last one. */
  readonly repeated?: RepeatedFields;
}

/** The fields of each object that repeats a field, in document order. */
export type RepeatedFields = ReadonlyMap<JsonObject, readonly (readonly [string, Json])[]>;

interface Cursor {
  readonly bytes: Buffer;
  at: number;
  /** The first number that float64 cannot hold. Reported only if the rest of the syntax is valid, as in Go. */
  rangeError: string | undefined;
  readonly duplicates: StrictFindings;
  readonly repeated: Map<JsonObject, [string, Json][]>;
  readonly open: Frame[];
  readonly keepsLiterals: boolean;
  /** The literal of the last number read, if an encoder would write it differently. */
  literal: string | undefined;
}
type Frame = { readonly list: Json[] } | { readonly object: JsonObject; key: string };

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * The exact decoder that `decodeJson` uses: int64, duplicate fields and Go's error texts. About five times slower than JSON.parse. Keeps
 * its own stack, so nesting costs only heap. With `keepsLiterals`, it records number literals.
 */
export function parseExact(bytes: Buffer, maxDepth: number, keepsLiterals = false): DecodedJson {
  const cursor = begin(bytes, keepsLiterals);
  let value = beginValue(cursor, maxDepth);
  for (;;) {
    const complete: Json | undefined = value === undefined ? undefined : endValue(cursor, value);
    if (cursor.open.length === 0 && complete !== undefined) {
      value = complete;
      break;
    }
    value = beginValue(cursor, maxDepth);
  }
  if (skipSpace(cursor)) fail(cursor, 'after top-level value');
  if (cursor.rangeError !== undefined) throw new JsonSyntaxError(cursor.rangeError);
  return decoded(cursor, value);
}

const begin = (bytes: Buffer, keepsLiterals: boolean): Cursor => ({
  bytes,
  keepsLiterals,
  at: 0,
  rangeError: undefined,
  duplicates: new StrictFindings(),
  repeated: new Map(),
  open: [],
  literal: undefined,
});

const decoded = ({ duplicates, repeated }: Cursor, value: Json): DecodedJson => ({
  value,
  duplicates: duplicates.texts(),
  ...(repeated.size === 0 ? {} : { repeated }),
});

/** Reads a scalar or an empty container. Returns undefined after opening a container whose first value follows. */
function beginValue(cursor: Cursor, maxDepth: number): Json | undefined {
  const first = token(cursor);
  if (first !== OPEN_OBJECT && first !== OPEN_LIST) return scalar(cursor, first);
  if (cursor.open.length >= maxDepth) fail(cursor, 'exceeded max depth');
  cursor.at++;
  if (first === OPEN_LIST) {
    if (token(cursor) === CLOSE_LIST) return emptied(cursor, []);
    cursor.open.push({ list: [] });
    return undefined;
  }
  if (token(cursor) === CLOSE_OBJECT) return emptied(cursor, {});
  const frame = { object: {}, key: '' };
  cursor.open.push(frame);
  readKey(cursor, frame);
  return undefined;
}

function emptied(cursor: Cursor, container: Json): Json {
  cursor.at++;
  return container;
}

/** Adds a value to its container and closes containers that end after it. Returns the top-level value when all are closed. */
function endValue(cursor: Cursor, value: Json): Json | undefined {
  let complete = value;
  for (;;) {
    const frame = cursor.open.at(-1);
    if (frame === undefined) return complete;
    const list = 'list' in frame;
    if (list) addItem(cursor, frame.list, complete);
    else addField(cursor, frame, complete);
    const next = token(cursor);
    if (next === COMMA) {
      cursor.at++;
      if (!list) readKey(cursor, frame);
      return undefined;
    }
    if (next !== (list ? CLOSE_LIST : CLOSE_OBJECT)) fail(cursor, list ? 'after array element' : AFTER_PAIR);
    cursor.at++;
    cursor.open.pop();
    complete = list ? frame.list : frame.object;
  }
}

function addItem(cursor: Cursor, list: Json[], value: Json): void {
  list.push(value);
  if (cursor.literal !== undefined) takeLiteral(cursor, list, list.length - 1);
}

function addField(cursor: Cursor, { object, key }: { object: JsonObject; key: string }, value: Json): void {
  setField(object, key, value);
  const again = cursor.repeated.get(object);
  if (again !== undefined) {
    const entry: [string, Json] = [key, value];
    noteLiteral(entry, 1, cursor.literal);
    noteLiteral(object, key, undefined);
    again.push(entry);
  }
  if (cursor.literal !== undefined) takeLiteral(cursor, object, key);
}

function takeLiteral(cursor: Cursor, container: object, key: string | number): void {
  noteLiteral(container, key, cursor.literal);
  cursor.literal = undefined;
}
const AFTER_PAIR = 'after object key:value pair';

function readKey(cursor: Cursor, frame: { readonly object: JsonObject; key: string }): void {
  if (token(cursor) !== QUOTE) fail(cursor, 'looking for beginning of object key string');
  frame.key = string(cursor);
  if (token(cursor) !== COLON) fail(cursor, 'after object key');
  cursor.at++;
  if (Object.hasOwn(frame.object, frame.key)) duplicate(cursor, frame.object);
}

function duplicate({ duplicates, repeated, open }: Cursor, object: JsonObject): void {
  if (!repeated.has(object)) repeated.set(object, entriesOf(object));
  duplicates.add(() => `duplicate field ${quote(path(open))}`);
}

/** The fields read so far. A number's literal is recorded on its entry. */
function entriesOf(object: JsonObject): [string, Json][] {
  const entries = Object.entries(object);
  for (const entry of entries) noteLiteral(entry, 1, literalAt(object, entry[0]));
  return entries;
}

function path(open: readonly Frame[]): string {
  let text = '';
  for (const frame of open) {
    if ('list' in frame) text += `[${frame.list.length}]`;
    else text += text === '' ? frame.key : `.${frame.key}`;
  }
  return text;
}

/** The first byte of the next token. Throws at the end of the input. */
function token(cursor: Cursor): number {
  if (!skipSpace(cursor)) throw new JsonSyntaxError('unexpected end of JSON input');
  return cursor.bytes[cursor.at] as number;
}

/** Skips whitespace. Returns whether more input follows. */
function skipSpace(cursor: Cursor): boolean {
  const { bytes } = cursor;
  while (cursor.at < bytes.length) {
    const byte = bytes[cursor.at] as number;
    if (byte > SPACE || (byte !== SPACE && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d)) return true;
    cursor.at++;
  }
  return false;
}

function scalar(cursor: Cursor, first: number): Json {
  if (first === QUOTE) return string(cursor);
  if (first === 0x74) return literal(cursor, 'true', true);
  if (first === 0x66) return literal(cursor, 'false', false);
  if (first === 0x6e) return literal(cursor, 'null', null);
  if (first === MINUS || isDigit(first)) return number(cursor);
  return fail(cursor, 'looking for beginning of value');
}

function literal<T>(cursor: Cursor, text: string, value: T): T {
  for (let i = 1; i < text.length; i++) {
    cursor.at++;
    if (peek(cursor) !== text.charCodeAt(i)) fail(cursor, `in literal ${text} (expecting '${text[i]}')`);
  }
  cursor.at++;
  return value;
}

function string(cursor: Cursor): string {
  const start = cursor.at++;
  let escaped = false;
  for (;;) {
    if (cursor.at >= cursor.bytes.length) throw new JsonSyntaxError('unexpected end of JSON input');
    const byte = cursor.bytes[cursor.at] as number;
    if (byte < SPACE) fail(cursor, 'in string literal');
    cursor.at++;
    if (byte === QUOTE) break;
    if (byte === BACKSLASH) {
      escaped = true;
      skipEscape(cursor);
    }
  }
  if (!escaped) return cursor.bytes.toString('utf8', start + 1, cursor.at - 1);
  return String(JSON.parse(cursor.bytes.toString('utf8', start, cursor.at))).toWellFormed();
}

const ESCAPES: ReadonlySet<number> = new Set(Buffer.from('bfnrt\\/"u'));

function skipEscape(cursor: Cursor): void {
  const kind = peek(cursor);
  if (!ESCAPES.has(kind)) fail(cursor, 'in string escape code');
  cursor.at++;
  if (kind !== 0x75) return;
  for (let i = 0; i < 4; i++) {
    if (!isHexDigit(peek(cursor))) fail(cursor, 'in \\u hexadecimal character escape');
    cursor.at++;
  }
}

function number(cursor: Cursor): Json {
  const start = cursor.at;
  if (peek(cursor) === MINUS) cursor.at++;
  if (peek(cursor) === ZERO) cursor.at++;
  else digits(cursor, 'in numeric literal');
  let isFloat = false;
  if (peek(cursor) === DOT) {
    isFloat = true;
    cursor.at++;
    digits(cursor, 'after decimal point in numeric literal');
  }
  if ((peek(cursor) | 0x20) === 0x65) {
    isFloat = true;
    cursor.at++;
    if (peek(cursor) === 0x2b || peek(cursor) === MINUS) cursor.at++;
    digits(cursor, 'in exponent of numeric literal');
  }
  const text = cursor.bytes.toString('latin1', start, cursor.at);
  return isFloat ? floatValue(cursor, text) : integerValue(cursor, text);
}

function floatValue(cursor: Cursor, text: string): number {
  const float = Number(text);
  if (!Number.isFinite(float)) refuseRange(cursor, text);
  if (cursor.keepsLiterals && text !== String(float)) cursor.literal = text;
  return float;
}

/** An int64 if the integer fits, otherwise a float64: sigs.k8s.io/json's PreserveInts. */
function integerValue(cursor: Cursor, text: string): Json {
  const value = Number(text);
  if (Number.isSafeInteger(value)) {
    if (cursor.keepsLiterals && text === '-0') cursor.literal = text;
    return value;
  }
  if (!Number.isFinite(value)) refuseRange(cursor, text);
  const integer = text.length > 20 ? undefined : BigInt(text);
  if (integer !== undefined && integer >= MIN_INT64 && integer <= MAX_INT64) return integer;
  if (cursor.keepsLiterals) cursor.literal = text;
  return value;
}

function refuseRange(cursor: Cursor, text: string): void {
  cursor.rangeError ??= `json: cannot unmarshal number ${text} into Go value of type float64`;
}

function digits(cursor: Cursor, context: string): void {
  if (!isDigit(peek(cursor))) fail(cursor, context);
  while (isDigit(peek(cursor))) cursor.at++;
}

const isHexDigit = (byte: number): boolean => isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= 0x39;

/** Go's scanner ends the input with a space, and errors at the end name that space. */
const peek = ({ bytes, at }: Cursor): number => bytes[at] ?? SPACE;

function fail(cursor: Cursor, context: string): never {
  const character = String.fromCharCode(peek(cursor));
  const shown = character === "'" ? "\\'" : character === '"' ? '"' : quote(character).slice(1, -1);
  throw new JsonSyntaxError(`invalid character '${shown}' ${context}`);
}
