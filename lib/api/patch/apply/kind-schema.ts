import { zeroScalar } from '#lib/api/codec/zero.ts';
import { findKind } from '#lib/api/kinds.ts';
import { type FieldFacts, type TypeFacts, typeFacts } from '#lib/api/types.ts';
import type { ValueFacts } from '#lib/api/values.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionKind } from '#lib/machinery/schema.ts';
import { DEDUCED, type Field, type ListType, type TypedSchema, UNTYPED_ATOMIC } from './schema.ts';

const kinds = new Map<TypeFacts, TypedSchema>();
const structs = new Map<TypeFacts, TypedSchema>();

/** Returns the schema of a built-in kind for structured merge; no schema if the kind does not exist. */
export function typedSchema(kind: GroupVersionKind): TypedSchema {
  const facts = findKind(kind);
  if (facts === undefined) return DEDUCED;
  const known = kinds.get(facts);
  if (known !== undefined) return known;
  const schema = { ...structSchema(facts), zero: zeroOf(facts) };
  kinds.set(facts, schema);
  return schema;
}

/** Returns the schema of every kind's metadata for structured merge. */
export const metadataSchema = (): TypedSchema => structSchema(typeFacts('meta.v1.ObjectMeta'));

function structSchema(facts: TypeFacts): TypedSchema {
  const known = structs.get(facts);
  if (known !== undefined) return known;
  const fields = new Map(facts.fields.map((fact) => [fact.name, lazyField(fact)]));
  const values = fields.size === 0 ? { values: DEDUCED } : {};
  const schema = { map: { atomic: facts.mapType === 'atomic', fields, ...values } };
  structs.set(facts, schema);
  return schema;
}

function lazyField(facts: FieldFacts): Field {
  let type: TypedSchema | undefined;
  return {
    get type() {
      return (type ??= fieldSchema(facts));
    },
    ...defined({ default: facts.default }),
  };
}

function fieldSchema(facts: FieldFacts): TypedSchema {
  const { value, mapType } = facts;
  if (value.form === 'list') return { list: listOf(facts, value.of) };
  const type = typeOf(value);
  if (mapType === undefined || type.map === undefined) return type;
  return { ...type, map: { ...type.map, atomic: mapType === 'atomic' } };
}

/** Returns the declared list type, otherwise the one implied by the patch strategy. */
function listOf({ listType, listMapKeys, patchStrategy, patchMergeKey }: FieldFacts, of: ValueFacts): ListType {
  const items = typeOf(of);
  if (listType === 'map') return { relationship: 'associative', keys: listMapKeys, items };
  const merges = listType === 'set' || (listType === undefined && patchStrategy.includes('merge'));
  const keys = listType === undefined && patchMergeKey !== undefined ? [patchMergeKey] : [];
  return merges ? { relationship: 'associative', keys, items } : { relationship: 'atomic', keys: [], items };
}

const ANY: TypedSchema = { ...UNTYPED_ATOMIC, map: { atomic: false, fields: new Map(), values: DEDUCED } };

function typeOf(value: ValueFacts): TypedSchema {
  switch (value.form) {
    case 'struct':
      return structSchema(typeFacts(value.type));
    case 'list':
      return { list: { relationship: 'atomic', keys: [], items: typeOf(value.of) } };
    case 'map':
      return { map: { atomic: false, fields: new Map(), values: typeOf(value.of) } };
    case 'raw':
      return UNTYPED_ATOMIC;
    case 'fieldsv1':
      return { map: { atomic: false, fields: new Map(), values: DEDUCED } };
    case 'intstr': // published without a type: what is neither is the decoder's to refuse
    case 'json':
    case 'schemaorarray':
    case 'schemaorbool':
    case 'schemaorstrings':
      return ANY;
    default:
      return scalarOf(value);
  }
}

function scalarOf({ form }: ValueFacts): TypedSchema {
  switch (form) {
    case 'bool':
      return { scalar: 'boolean' };
    case 'int32':
    case 'int64':
    case 'double':
      return { scalar: 'numeric' };
    case 'string':
    case 'bytes':
    case 'duration':
      return { scalar: 'string' };
    default:
      return { scalar: 'untyped' };
  }
}

/** Encodes Go's zero value of a kind. It contains non-pointer structs and fields without omitempty. */
function zeroOf(facts: TypeFacts): JsonObject {
  const zero: JsonObject = {};
  for (const field of facts.fields) {
    const value = zeroField(field);
    if (value !== undefined) zero[field.name] = value;
  }
  return zero;
}

/** Types that omitempty never omits, because they are structs in Go. */
const ALWAYS_ENCODED: ReadonlySet<string> = new Set(['time', 'microtime', 'raw', 'quantity', 'intstr']);

function zeroField({ value, pointer, always, omitZero }: FieldFacts): Json | undefined {
  if (pointer) return always ? null : undefined;
  if (omitZero) return undefined;
  if (value.form === 'struct') return zeroOf(typeFacts(value.type));
  return always || ALWAYS_ENCODED.has(value.form) ? zeroScalar(value) : undefined;
}
