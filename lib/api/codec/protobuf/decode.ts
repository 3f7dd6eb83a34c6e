import { durationText } from '#lib/machinery/duration.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { type Instant, microTimeText, timeText } from '#lib/machinery/time.ts';
import type { ValueFacts } from '../../values.ts';
import { DecodeError } from '../error.ts';
import { canonicalQuantity } from '../texts.ts';
import { writeStruct, zeroValue } from '../write.ts';
import { messageType } from './encode.ts';
import { decodeUnknown, isEnveloped } from './envelope.ts';
import { type MessagePlan, messagePlan, type PlanField } from './plan.ts';
import { Reader } from './reader.ts';

const MAX_DEPTH = 200;
/** The maximum number of structs decoded from one body. An empty message takes two bytes, but an object takes far more memory. */
const MAX_STRUCTS = 60_000;

interface State {
  readonly reader: Reader;
  depth: number;
  structs: number;
}

/**
 * Decodes a protobuf message without its envelope to the same form as `decodeTyped`, with `kind` and `apiVersion` set. Throws DecodeError
 * with the texts of upstream's generated code, or TypeError for an unknown kind.
 */
export function decodeMessage(apiVersion: string, kind: string, bytes: Uint8Array): JsonObject {
  const name = messageType(apiVersion, kind);
  const object = decodeType(name, bytes);
  return messagePlan(name).type.hasTypeMeta ? { kind, apiVersion, ...object } : object;
}

/** Like `decodeMessage`, with the type's short name, and without setting kind and version. */
export function decodeType(type: string, bytes: Uint8Array): JsonObject {
  return decodeStruct(messagePlan(type), { reader: new Reader(bytes), depth: 0, structs: 0 });
}

function decodeStruct(plan: MessagePlan, state: State): JsonObject {
  if (++state.depth > MAX_DEPTH) throw new DecodeError('exceeded max depth');
  if (++state.structs > MAX_STRUCTS) throw new DecodeError('too many nested messages');
  const held: (Json | undefined)[] = [];
  decodeFields(plan, held, 0, state);
  state.depth--;
  return writeStruct(plan.type, held);
}

function decodeFields(plan: MessagePlan, held: (Json | undefined)[], base: number, state: State): void {
  const { reader } = state;
  while (!reader.done) {
    const tag = reader.tag(plan.type.go);
    const field = plan.byNumber[tag >>> 3];
    if (field === undefined) reader.skip(tag & 7);
    else decodeField(field, tag & 7, held, base, state);
  }
}

function decodeField(plan: PlanField, wireType: number, held: (Json | undefined)[], base: number, state: State): void {
  if (plan.inner !== undefined) {
    expectWire(wireType, 2, plan.inner.type.go);
    const outer = state.reader.enter();
    decodeFields(plan.inner, held, base + plan.base, state);
    state.reader.leave(outer);
    return;
  }
  const { value, field } = plan;
  const index = base + field.index;
  if (value.form === 'list' && !value.wrapped) decodeItem(value.of, wireType, field.name, listAt(held, index), state);
  else if (value.form === 'map') decodeEntry(value.of, wireType, field.name, mapAt(held, index), state);
  else held[index] = decodeOne(value, wireType, field.name, state);
}

function listAt(held: (Json | undefined)[], index: number): Json[] {
  const list = held[index];
  if (Array.isArray(list)) return list;
  const made: Json[] = [];
  held[index] = made;
  return made;
}

function mapAt(held: (Json | undefined)[], index: number): JsonObject {
  const map = (held[index] ??= {});
  return map as JsonObject;
}

/** Decodes an item. Numbers and booleans may also be packed. */
function decodeItem(of: ValueFacts, wireType: number, name: string, list: Json[], state: State): void {
  const { reader } = state;
  const wire = wireOf(of);
  if (wireType !== 2 || wire === 2) {
    list.push(decodeOne(of, wireType, name, state) ?? zeroValue(of));
    return;
  }
  const outer = reader.enter();
  while (!reader.done) list.push(decodeOne(of, wire, name, state) ?? zeroValue(of));
  reader.leave(outer);
}

function decodeEntry(of: ValueFacts, wireType: number, name: string, map: JsonObject, state: State): void {
  expectWire(wireType, 2, name);
  const { reader } = state;
  const outer = reader.enter();
  let key = '';
  let value: Json | undefined;
  while (!reader.done) {
    const tag = reader.tag(goName(name));
    if (tag >>> 3 === 1) key = reader.string();
    else if (tag >>> 3 === 2) value = decodeOne(of, tag & 7, name, state);
    else reader.skip(tag & 7);
  }
  reader.leave(outer);
  setField(map, key, value ?? zeroValue(of));
}

function wireOf({ form }: ValueFacts): number {
  if (form === 'bool' || form === 'int32' || form === 'int64') return 0;
  return form === 'double' ? 1 : 2;
}

/** The Go name of a field, close enough for a message. */
const goName = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function expectWire(actual: number, expected: number, name: string): void {
  if (actual !== expected) throw new DecodeError(`proto: wrong wireType = ${actual} for field ${goName(name)}`);
}

function decodeOne(facts: ValueFacts, wireType: number, name: string, state: State): Json | undefined {
  const { reader } = state;
  expectWire(wireType, wireOf(facts), name);
  switch (facts.form) {
    case 'string':
      return reader.string();
    case 'bool':
      return reader.bool();
    case 'int32':
      return reader.uint32() | 0;
    case 'int64':
      return reader.int64();
    case 'double':
      return reader.double();
    case 'bytes':
      return reader.bytes().toString('base64');
    default: {
      const outer = reader.enter();
      const value = decodeContent(facts, state);
      reader.leave(outer);
      return value;
    }
  }
}

function decodeContent(facts: ValueFacts, state: State): Json | undefined {
  switch (facts.form) {
    case 'struct':
      return decodeStruct(messagePlan(facts.type), state);
    case 'list':
      return decodeWrapped(facts.of, state);
    case 'quantity':
      return canonicalQuantity(decodeText(state) || '0');
    case 'time':
      return timeText(decodeInstant(state, false));
    case 'microtime':
      return microTimeText(decodeInstant(state, true));
    case 'duration':
      return durationText(BigInt(decodeNumbers(state)[1] ?? 0));
    case 'intstr':
      return decodeIntOrString(state);
    case 'raw':
    case 'json':
    case 'fieldsv1':
      return decodeRaw(state);
    case 'schemaorarray':
    case 'schemaorstrings':
      return decodeSchemaOr(facts.form === 'schemaorarray' ? SCHEMA : STRING, state);
    case 'schemaorbool':
      return decodeSchemaOrBool(state);
    default:
      throw new TypeError(`${facts.form} has no length`);
  }
}

/** Reads the fields of a small message. `read` handles the fields it knows and returns whether it did. */
function eachField(state: State, read: (number: number, wireType: number) => boolean): void {
  const { reader } = state;
  while (!reader.done) {
    const tag = reader.tag('Generated');
    if (!read(tag >>> 3, tag & 7)) reader.skip(tag & 7);
  }
}

function decodeWrapped(of: ValueFacts, state: State): Json {
  const items: Json[] = [];
  eachField(state, (number, wireType) => {
    if (number !== 1) return false;
    items.push(decodeOne(of, wireType, 'items', state) ?? zeroValue(of));
    return true;
  });
  return items;
}

function decodeText(state: State): string {
  let text = '';
  eachField(state, (number, wireType) => {
    if (number !== 1 || wireType !== 2) return false;
    text = state.reader.string();
    return true;
  });
  return text;
}

/** Varint fields by number. */
function decodeNumbers(state: State): (number | bigint)[] {
  const numbers: (number | bigint)[] = [];
  eachField(state, (number, wireType) => {
    if (wireType !== 0 || number > 3) return false;
    numbers[number] = state.reader.int64();
    return true;
  });
  return numbers;
}

const ZERO_TIME: Instant = { seconds: -62_135_596_800, nanos: 0 };
/** The last second of the year 9999. RFC 3339 can represent the years 1 to 9999. */
const MAX_SECONDS = 253_402_300_799;

function decodeInstant(state: State, micro: boolean): Instant {
  if (state.reader.done) return ZERO_TIME;
  const numbers = decodeNumbers(state);
  const seconds = Number(numbers[1] ?? 0);
  if (seconds < ZERO_TIME.seconds || seconds > MAX_SECONDS) {
    throw new DecodeError('Time.MarshalJSON: year outside of range [0,9999]');
  }
  const nanos = Number(BigInt.asIntN(32, BigInt(numbers[2] ?? 0)));
  return { seconds, nanos: micro && nanos > 0 && nanos < 1_000_000_000 ? nanos : 0 };
}

function decodeIntOrString(state: State): Json {
  let type = 0;
  let number = 0;
  let text = '';
  eachField(state, (field, wireType) => {
    if (field === 1 && wireType === 0) type = Number(state.reader.int64());
    else if (field === 2 && wireType === 0) number = state.reader.uint32() | 0;
    else if (field === 3 && wireType === 2) text = state.reader.string();
    else return false;
    return true;
  });
  if (type !== 0 && type !== 1) throw new DecodeError('impossible IntOrString.Type');
  return type === 0 ? number : text;
}

/** Decodes raw JSON in bytes. Also decodes an object in its own envelope. */
function decodeRaw(state: State): Json | undefined {
  let raw: Uint8Array = EMPTY;
  eachField(state, (number, wireType) => {
    if (number !== 1 || wireType !== 2) return false;
    raw = state.reader.bytes();
    return true;
  });
  if (raw.length === 0) return null;
  if (!isEnveloped(raw)) return decodeJson(raw).value;
  const { apiVersion, kind, raw: message } = decodeUnknown(raw);
  return decodeMessage(apiVersion, kind, message);
}
const EMPTY = new Uint8Array(0);

const SCHEMA: ValueFacts = { form: 'struct', type: 'apiextensions.v1.JSONSchemaProps', go: 'v1.JSONSchemaProps' };
const STRING: ValueFacts = { form: 'string', go: 'string' };

function decodeSchemaOr(of: ValueFacts, state: State): Json {
  let schema: Json | undefined;
  const list: Json[] = [];
  eachField(state, (number, wireType) => {
    if (number === 1) schema = decodeOne(SCHEMA, wireType, 'schema', state);
    else if (number === 2) list.push(decodeOne(of, wireType, 'items', state) ?? zeroValue(of));
    else return false;
    return true;
  });
  return list.length > 0 ? list : (schema ?? null);
}

function decodeSchemaOrBool(state: State): Json {
  let schema: Json | undefined;
  let allows = false;
  eachField(state, (number, wireType) => {
    if (number === 1 && wireType === 0) allows = state.reader.bool();
    else if (number === 2) schema = decodeOne(SCHEMA, wireType, 'schema', state);
    else return false;
    return true;
  });
  return schema ?? allows;
}
