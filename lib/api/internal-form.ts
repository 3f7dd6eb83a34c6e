import { copyEmpties, wasEmpty } from '#lib/machinery/empties.ts';
import { isObject, type Json, type JsonObject, objectAt, ownField, setField } from '#lib/machinery/json-value.ts';
import { zeroScalar } from './codec/zero.ts';
import table from './generated/internal-types.json' with { type: 'json' };
import { type FieldFacts, typeFacts } from './types.ts';
import type { ValueFacts } from './values.ts';

/** One field of an internal struct: its Go name, its JSON name, and its zero value if no version has the field at this place. */
interface InternalField {
  readonly go: string;
  readonly json: string;
  readonly zero: Json | undefined;
}

const rows: Readonly<Record<string, string>> = table;
const parsed = new Map<string, readonly InternalField[]>();

/**
 * Converts a value of a versioned type to the JSON of upstream's internal struct, which upstream's messages contain. It has Go's names in
 * struct order and omits no field. Types of meta/v1 are their own internal types.
 */
export function internalForm(type: string, value: Json | undefined): Json {
  return structForm(type, value ?? {});
}

/** The internal form of one field of an object of a type. */
export function internalField(type: string, object: JsonObject | undefined, field: string): Json {
  const facts = typeFacts(type).field.get(field);
  const value = ownField(object, field) ?? undefined;
  if (value === undefined && wasEmpty(object, field)) return facts?.value.form === 'list' ? [] : {};
  return facts === undefined ? (value ?? null) : fieldForm(facts, value);
}

/** The internal form of a field, for an error message. */
export const shownField = (type: string, object: JsonObject | undefined, field: string): unknown =>
  inOrder(internalField(type, object, field));

/** A value whose fields are marshalled in their current order. */
export function inOrder(value: Json): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  return isObject(value) ? new Map(Object.entries(value).map(([name, item]) => [name, inOrder(item)])) : value;
}

function fieldsOf(type: string): readonly InternalField[] | undefined {
  let fields = parsed.get(type);
  if (fields === undefined && Object.hasOwn(rows, type)) {
    fields = (rows[type] ?? '').split(' ').map(parseField);
    parsed.set(type, fields);
  }
  return fields;
}

function parseField(text: string): InternalField {
  const [, go = '', json, zero] = /^([^=:]+)(?:=([^:]+))?(?::(.+))?$/.exec(text) ?? [];
  return { go, json: json ?? jsonName(go), zero: zero === undefined ? undefined : (JSON.parse(zero) as Json) };
}

/** The JSON name of a Go name: `FSType` becomes `fsType`, `NFS` becomes `nfs`. */
function jsonName(go: string): string {
  const head = /^[A-Z]+(?![a-z])/.exec(go)?.[0] ?? go.slice(0, 1);
  return head.toLowerCase() + go.slice(head.length);
}

const OBJECT_META = '^meta.v1.ObjectMeta';

function structForm(type: string, value: Json): Json {
  const fields = fieldsOf(type);
  if (fields === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const object = type === 'core.v1.PodSpec' ? withHostFields(value) : value;
  const facts = typeFacts(type).field;
  const form: JsonObject = {};
  for (const { go, json, zero } of fields) {
    if (go === OBJECT_META) Object.assign(form, objectAt(object, 'metadata'));
    else {
      const given = ownField(object, json) ?? undefined;
      const field = facts.get(json);
      if (given === undefined && wasEmpty(object, json)) setField(form, go, field?.value.form === 'list' ? [] : {});
      else setField(form, go, field === undefined ? (given ?? zero ?? null) : fieldForm(field, given));
    }
  }
  return form;
}

const HOST_FIELDS = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'];

/** Moves the fields that share host namespaces to the security context, as in the internal type. */
function withHostFields(spec: JsonObject): JsonObject {
  const context: JsonObject = { ...objectAt(spec, 'securityContext') };
  for (const field of HOST_FIELDS) {
    const value = ownField(spec, field);
    if (value !== undefined) context[field] = value;
  }
  const moved = { ...spec, securityContext: context };
  copyEmpties(spec, moved);
  return moved;
}

function fieldForm({ pointer, value: facts }: FieldFacts, value: Json | undefined): Json {
  if (value !== undefined) return valueForm(facts, value);
  if (pointer) return null;
  return facts.form === 'struct' ? structForm(facts.type, {}) : zeroScalar(facts);
}

function valueForm(facts: ValueFacts, value: Json): Json {
  if (facts.form === 'struct') return structForm(facts.type, value);
  if (facts.form === 'list' && Array.isArray(value)) return value.map((item) => valueForm(facts.of, item));
  if (facts.form !== 'map' || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, valueForm(facts.of, item)]));
}
