import { copyEmpties } from '#lib/machinery/empties.ts';
import type { RepeatedFields } from '#lib/machinery/json-parser.ts';
import { isObject, type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { literalAt } from '#lib/machinery/number-literals.ts';
import { apiVersion, type GroupVersionKind } from '#lib/machinery/schema.ts';
import { findKind } from '../kinds.ts';
import { type TypeFacts, typeFacts } from '../types.ts';
import type { ValueFacts } from '../values.ts';
import { DecodeContext } from './context.ts';
import { decodeScalar } from './decode-scalar.ts';
import { DecodeError } from './error.ts';
import { writeStruct, zeroValue } from './write.ts';

/** A decoded object and the fields that are unknown to its type. */
export interface Typed {
  /** The object as Go encodes it: only known fields, in upstream's order, with `kind` and `apiVersion` first. */
  readonly object: JsonObject;
  /** Strict decoding's messages in document order: `unknown field "spec.foo"`, `duplicate field "spec.bar"`. */
  readonly unknown: string[];
}

/** The maximum depth of a document. Only recursive types (CRD schemas) and raw values can be deep at all. */
const MAX_DEPTH = 200;

/**
 * Decodes a JSON document like Go into the kind's struct. Throws DecodeError, or the value's own error (time, quantity), with upstream's
 * text except the words that name the request's kind. The result shares raw values with `value`. Like Go, decodes repeated fields
 * (`repeated`) one after the other into the same place.
 */
export function decodeTyped(gvk: GroupVersionKind, value: Json, repeated?: RepeatedFields): Typed {
  const type = findKind(gvk);
  if (type === undefined) throw new TypeError(`no type for ${gvk.kind}`);
  const { object, unknown } = decodeType(type, value, repeated);
  if (type.hasTypeMeta) {
    object['kind'] = gvk.kind;
    object['apiVersion'] = apiVersion(gvk);
  }
  return { object: type.hasTypeMeta ? headFirst(object) : object, unknown };
}

function headFirst(object: JsonObject): JsonObject {
  const { kind, apiVersion: version, ...rest } = object;
  const ordered = { kind: kind ?? '', apiVersion: version ?? '', ...rest };
  copyEmpties(object, ordered);
  return ordered;
}

/** Like `decodeTyped`, for a type that is not necessarily a kind. Does not change `kind` and `apiVersion`. */
export function decodeType(type: TypeFacts, value: Json, repeated?: RepeatedFields): Typed {
  const state = aState(repeated);
  const go = type.name.split('.').slice(-2).join('.');
  const object = decodeStruct(type, value, state, go) ?? {};
  return { object, unknown: state.context.finish() };
}

/** The state of a new decode. */
export const aState = (repeated: RepeatedFields = new Map()): State => ({
  context: new DecodeContext(),
  repeated,
  held: new Map(),
  depth: 0,
});

/** The state of one decode. */
export interface State {
  readonly context: DecodeContext;
  readonly repeated: RepeatedFields;
  /** The field values of decoded structs, keyed by the source JSON. Kept only if fields repeat. */
  readonly held: Map<Json, readonly (Json | undefined)[]>;
  depth: number;
}

/**
 * Decodes a value to the form that Go stores. Undefined for JSON's null and after a saved error. `before` is the existing value that it is
 * decoded into.
 */
export function decodeValue(facts: ValueFacts, value: Json, state: State, before?: Json): Json | undefined {
  if (value === null) return undefined;
  switch (facts.form) {
    case 'struct':
      return decodeStruct(typeFacts(facts.type), value, state, facts.go, before);
    case 'list':
      return decodeList(facts, value, state);
    case 'map':
      return decodeMap(facts, value, state, before);
    case 'schemaorarray':
      return state.context.nested(() => decodeSchemaOr(value, '[]apiextensions.v1.JSONSchemaProps', state));
    case 'schemaorstrings':
      return state.context.nested(() => decodeSchemaOr(value, '[]string', state));
    case 'schemaorbool':
      return state.context.nested(() => decodeSchemaOrBool(value, state));
    default:
      return decodeScalar(facts, value, state.context);
  }
}

const SCHEMA: ValueFacts = { form: 'struct', type: 'apiextensions.v1.JSONSchemaProps', go: 'v1.JSONSchemaProps' };
const LISTS: Readonly<Record<string, ValueFacts>> = {
  '[]string': { form: 'list', of: { form: 'string', go: 'string' }, wrapped: false, go: '[]string' },
  '[]apiextensions.v1.JSONSchemaProps': { form: 'list', of: SCHEMA, wrapped: false, go: '[]v1.JSONSchemaProps' },
};

/** Decodes a schema or a list. Upstream ignores other values. */
function decodeSchemaOr(value: Json, list: string, state: State): Json | undefined {
  if (isObject(value)) return decodeValue(SCHEMA, value, state);
  const items = Array.isArray(value) ? decodeValue(LISTS[list] as ValueFacts, value, state) : null;
  return Array.isArray(items) && items.length > 0 ? items : null;
}

function decodeSchemaOrBool(value: Json, state: State): Json | undefined {
  if (typeof value === 'boolean') return value;
  if (!isObject(value)) throw new DecodeError('boolean or JSON schema expected');
  return decodeValue(SCHEMA, value, state);
}

function decodeList(facts: ValueFacts & { form: 'list' }, value: Json, state: State): Json | undefined {
  if (!Array.isArray(value)) return state.context.mismatch(value, facts.go);
  return value.map((item, i) => {
    state.context.enterItem(i);
    seeLiteral(state, value, i, item);
    const decoded = decodeValue(facts.of, item, state);
    state.context.leave();
    return decoded ?? zeroValue(facts.of);
  });
}

function decodeMap(
  facts: ValueFacts & { form: 'map' },
  value: Json,
  state: State,
  before: Json | undefined,
): Json | undefined {
  if (!isObject(value)) return state.context.mismatch(value, facts.go);
  const decoded: JsonObject = isObject(before) ? before : {};
  eachField(value, state, (key, item, again) => {
    if (again) state.context.duplicateField(key);
    state.context.enterItem(key);
    setField(decoded, key, decodeValue(facts.of, item, state) ?? zeroValue(facts.of));
    state.context.leave();
  });
  return decoded;
}

function decodeStruct(type: TypeFacts, value: Json, state: State, go: string, before?: Json): JsonObject | undefined {
  const { context } = state;
  if (!isObject(value)) return context.mismatch(value, go);
  if (++state.depth > MAX_DEPTH) throw new DecodeError('exceeded max depth');
  const decoded = [...(before === undefined ? [] : (state.held.get(before) ?? []))];
  eachField(value, state, (key, item, again) => {
    const field = type.field.get(key);
    if (field === undefined) return context.unknownField(key);
    if (again) context.duplicateField(key);
    context.enterField(type, field);
    decoded[field.index] = decodeValue(field.value, item, state, decoded[field.index]);
    context.leave();
  });
  state.depth--;
  const written = writeStruct(type, decoded);
  if (state.repeated.size > 0) state.held.set(written, decoded);
  return written;
}

type Visit = (key: string, value: Json, again: boolean) => void;

/** Visits the fields in document order. `again` is true if a field of the same name came before. */
function eachField(object: JsonObject, state: State, visit: Visit): void {
  const entries = state.repeated.get(object);
  if (entries === undefined) {
    for (const key of Object.keys(object)) {
      const value = object[key] as Json;
      seeLiteral(state, object, key, value);
      visit(key, value, false);
    }
    return;
  }
  const seen = new Set<string>();
  for (const entry of entries) {
    const [key, value] = entry;
    seeLiteral(state, entry, 1, value);
    visit(key, value, seen.has(key));
    seen.add(key);
  }
}

/** Passes the literal of the next number to the scalar decoder. */
function seeLiteral({ context }: State, container: object, key: string | number, value: Json): void {
  context.literal = typeof value === 'number' ? literalAt(container, key) : undefined;
}
