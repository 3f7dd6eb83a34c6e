import { isObject, setField, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion, type GroupVersionKind } from '#lib/machinery/schema.ts';
import { findKind } from '../kinds.ts';
import { typeFacts, type TypeFacts } from '../types.ts';
import type { ValueFacts } from '../values.ts';
import { DecodeContext } from './context.ts';
import { decodeScalar } from './decode-scalar.ts';
import { DecodeError } from './error.ts';
import { writeStruct, zeroValue } from './write.ts';

export interface Typed {
  /** As Go writes back what it read: known fields only, in upstream's order, `kind` and `apiVersion` first. */
  readonly object: JsonObject;
  /** Strict decoding's messages in document order: `unknown field "spec.foo"`. */
  readonly unknown: string[];
}

/** Deeper documents are refused: only recursive types (CRD schemas) and raw values can be deep at all. */
const MAX_DEPTH = 200;

/**
 * Reads a JSON document as Go's decoder reads it into the kind's struct. Throws DecodeError (or the value's own error: time,
 * quantity) with upstream's text, without the words that name the request's kind. The result shares raw values with `value`.
 */
export function decodeTyped(gvk: GroupVersionKind, value: Json): Typed {
  const type = findKind(gvk);
  if (type === undefined) throw new TypeError(`no type for ${gvk.kind}`);
  const { object, unknown } = decodeType(type, value);
  if (type.hasTypeMeta) {
    object['kind'] = gvk.kind;
    object['apiVersion'] = apiVersion(gvk);
  }
  return { object: type.hasTypeMeta ? headFirst(object) : object, unknown };
}

function headFirst({ kind, apiVersion: version, ...rest }: JsonObject): JsonObject {
  return { kind: kind ?? '', apiVersion: version ?? '', ...rest };
}

/** As `decodeTyped`, for a type of any sort; `kind` and `apiVersion` stay as they are. */
export function decodeType(type: TypeFacts, value: Json): Typed {
  const context = new DecodeContext();
  const object = decodeStruct(type, value, { context, depth: 0 }, type.name.split('.').slice(-2).join('.')) ?? {};
  return { object, unknown: context.finish() };
}

interface State {
  readonly context: DecodeContext;
  depth: number;
}

/** The value as Go holds it; undefined for JSON's null and after an error that was saved. */
function decodeValue(facts: ValueFacts, value: Json, state: State): Json | undefined {
  if (value === null) return undefined;
  switch (facts.form) {
    case 'struct':
      return decodeStruct(typeFacts(facts.type), value, state, facts.go);
    case 'list':
      return decodeList(facts, value, state);
    case 'map':
      return decodeMap(facts, value, state);
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

/** Upstream ignores what is neither a schema nor a list. */
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
    const decoded = decodeValue(facts.of, item, state);
    state.context.leave();
    return decoded ?? zeroValue(facts.of);
  });
}

function decodeMap(facts: ValueFacts & { form: 'map' }, value: Json, state: State): Json | undefined {
  if (!isObject(value)) return state.context.mismatch(value, facts.go);
  const decoded: JsonObject = {};
  for (const key of Object.keys(value)) {
    state.context.enterItem(key);
    setField(decoded, key, decodeValue(facts.of, value[key] as Json, state) ?? zeroValue(facts.of));
    state.context.leave();
  }
  return decoded;
}

function decodeStruct(type: TypeFacts, value: Json, state: State, go: string): JsonObject | undefined {
  const { context } = state;
  if (!isObject(value)) return context.mismatch(value, go);
  if (++state.depth > MAX_DEPTH) throw new DecodeError('exceeded max depth');
  const decoded: (Json | undefined)[] = [];
  for (const key of Object.keys(value)) {
    const field = type.field.get(key);
    if (field === undefined) context.unknownField(key);
    else {
      context.enterField(type, field);
      decoded[field.index] = decodeValue(field.value, value[key] as Json, state);
      context.leave();
    }
  }
  state.depth--;
  return writeStruct(type, decoded);
}
