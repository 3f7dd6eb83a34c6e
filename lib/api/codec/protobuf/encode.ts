import { parseDuration } from '#lib/machinery/duration.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';
import { type Instant, parseMicroTime, parseTime } from '#lib/machinery/time.ts';
import { findKind } from '../../kinds.ts';
import { hasType } from '../../types.ts';
import type { ValueFacts } from '../../values.ts';
import { type MessagePlan, messagePlan } from './plan.ts';
import { ReverseWriter } from './writer.ts';

/**
 * Encodes an object of a built-in kind as its protobuf message, without the envelope. `object` has the form that `decodeTyped` returns.
 * `meta.k8s.io/v1` also selects meta types that are not kinds (`ListMeta`). Throws TypeError for an unknown kind.
 */
export function encodeMessage(apiVersion: string, kind: string, object: JsonObject): Uint8Array {
  return encodeType(messageType(apiVersion, kind), object);
}

/** The type of a message, from the names in its envelope. Throws TypeError for unknown names. */
export function messageType(apiVersion: string, kind: string): string {
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
  const meta = `meta.v1.${kind}`;
  const name = group === 'meta.k8s.io' && hasType(meta) ? meta : findKind({ group, version, kind })?.name;
  if (name === undefined) throw new TypeError(`no protobuf message for ${apiVersion} ${kind}`);
  return name;
}

/** Like `encodeMessage`, with the type's short name. */
export function encodeType(type: string, object: JsonObject): Uint8Array {
  const writer = new ReverseWriter();
  encodeStruct(writer, messagePlan(type), object);
  return writer.finish();
}

function encodeStruct(writer: ReverseWriter, { fields }: MessagePlan, object: JsonObject): void {
  for (let i = fields.length - 1; i >= 0; i--) {
    const plan = fields[i] as MessagePlan['fields'][number];
    if (plan.inner !== undefined) {
      const from = writer.size;
      encodeStruct(writer, plan.inner, object);
      writer.close(from, plan.number);
    } else {
      const value = object[plan.field.name];
      if (value !== undefined && value !== null) encodeField(writer, plan.number, plan.value, value);
      else if (!plan.field.pointer) encodeZero(writer, plan.number, plan.value);
    }
  }
}

/** Writes a zero value. Go's proto2 code also writes zero values of non-pointer fields, but not nil lists, maps and bytes. */
function encodeZero(writer: ReverseWriter, number: number, facts: ValueFacts): void {
  switch (facts.form) {
    case 'list':
    case 'map':
    case 'bytes':
      return;
    case 'struct':
      return encodeField(writer, number, facts, {});
    case 'bool':
      return encodeField(writer, number, facts, false);
    case 'string':
      return encodeField(writer, number, facts, '');
    case 'quantity':
      return encodeField(writer, number, facts, '0');
    case 'int32':
    case 'int64':
    case 'double':
    case 'intstr':
      return encodeField(writer, number, facts, 0);
    default:
      return writer.close(writer.size, number);
  }
}

function encodeField(writer: ReverseWriter, number: number, facts: ValueFacts, value: Json): void {
  switch (facts.form) {
    case 'bool':
      writer.varint(value === true ? 1 : 0);
      return writer.tag(number, 0);
    case 'int32':
    case 'int64':
      writer.int64(numeric(value));
      return writer.tag(number, 0);
    case 'double':
      writer.double(Number(numeric(value)));
      return writer.tag(number, 1);
    case 'list':
      return encodeList(writer, number, facts, value);
    case 'map':
      return encodeMap(writer, number, facts.of, value);
    default: {
      const from = writer.size;
      encodeContent(writer, facts, value);
      return writer.close(from, number);
    }
  }
}

function encodeList(writer: ReverseWriter, number: number, facts: ValueFacts & { form: 'list' }, value: Json): void {
  const from = writer.size;
  const items = Array.isArray(value) ? value : [];
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i] as Json;
    if (item === null) encodeZero(writer, facts.wrapped ? 1 : number, facts.of);
    else encodeField(writer, facts.wrapped ? 1 : number, facts.of, item);
  }
  if (facts.wrapped) writer.close(from, number);
}

/** Encodes map entries in the byte order of their keys, like Go's code. */
function encodeMap(writer: ReverseWriter, number: number, of: ValueFacts, value: Json): void {
  if (!isObject(value)) return;
  const keys = sortedKeys(value);
  for (let i = keys.length - 1; i >= 0; i--) {
    const key = keys[i] as string;
    const item = value[key] as Json;
    const from = writer.size;
    if (item !== null) encodeField(writer, 2, of, item);
    else if (of.form !== 'bytes') encodeZero(writer, 2, of);
    const keyFrom = writer.size;
    writer.string(key);
    writer.close(keyFrom, 1);
    writer.close(from, number);
  }
}

function sortedKeys(value: JsonObject): string[] {
  const keys = Object.keys(value);
  const ascii = keys.every((key) => /^[\x20-\x7e]*$/.test(key));
  return ascii ? keys.sort() : keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function numeric(value: Json): number | bigint {
  return typeof value === 'number' || typeof value === 'bigint' ? value : 0;
}

const text = (value: Json): string => (typeof value === 'string' ? value : '');

/** Writes the bytes after a field's length. */
function encodeContent(writer: ReverseWriter, facts: ValueFacts, value: Json): void {
  switch (facts.form) {
    case 'string':
      return writer.string(text(value));
    case 'bytes':
      return writer.bytes(Buffer.from(text(value), 'base64'));
    case 'struct':
      return encodeStruct(writer, messagePlan(facts.type), isObject(value) ? value : {});
    case 'quantity':
      return encodeText(writer, 1, String(value));
    case 'time':
      return encodeInstant(writer, { ...parseTime(text(value)), nanos: 0 });
    case 'microtime':
      return encodeInstant(writer, parseMicroTime(text(value)));
    case 'duration':
      writer.int64(parseDuration(text(value)));
      return writer.tag(1, 0);
    case 'intstr':
      return encodeIntOrString(writer, value);
    case 'raw':
    case 'json':
    case 'fieldsv1':
      return encodeText(writer, 1, encodeJson(value));
    case 'schemaorarray':
      return encodeSchemaOr(writer, value, SCHEMA);
    case 'schemaorstrings':
      return encodeSchemaOr(writer, value, STRING);
    case 'schemaorbool':
      return encodeSchemaOrBool(writer, value);
    default:
      throw new TypeError(`${facts.form} has no length`);
  }
}

function encodeText(writer: ReverseWriter, number: number, value: string): void {
  const from = writer.size;
  writer.string(value);
  writer.close(from, number);
}

function encodeInstant(writer: ReverseWriter, { seconds, nanos }: Instant): void {
  writer.int64(nanos);
  writer.tag(2, 0);
  writer.int64(seconds);
  writer.tag(1, 0);
}

function encodeIntOrString(writer: ReverseWriter, value: Json): void {
  const isText = typeof value === 'string';
  encodeText(writer, 3, isText ? value : '');
  writer.int64(isText ? 0 : numeric(value));
  writer.tag(2, 0);
  writer.varint(isText ? 1 : 0);
  writer.tag(1, 0);
}

const SCHEMA: ValueFacts = { form: 'struct', type: 'apiextensions.v1.JSONSchemaProps', go: 'v1.JSONSchemaProps' };
const STRING: ValueFacts = { form: 'string', go: 'string' };

function encodeSchemaOr(writer: ReverseWriter, value: Json, of: ValueFacts): void {
  if (Array.isArray(value)) encodeList(writer, 2, { form: 'list', of, wrapped: false, go: '' }, value);
  else if (isObject(value)) encodeField(writer, 1, SCHEMA, value);
}

function encodeSchemaOrBool(writer: ReverseWriter, value: Json): void {
  if (isObject(value)) encodeField(writer, 2, SCHEMA, value);
  writer.varint(value === false ? 0 : 1);
  writer.tag(1, 0);
}

/** Encodes a `metav1.WatchEvent`. `object` is the encoded object in its own envelope. */
export function encodeWatchEvent(type: string, object: Uint8Array): Uint8Array {
  const writer = new ReverseWriter();
  const from = writer.size;
  const raw = writer.size;
  writer.bytes(object);
  writer.close(raw, 1);
  writer.close(from, 2);
  encodeText(writer, 1, type);
  return writer.finish();
}
