import { findKind } from '#lib/api/kinds.ts';
import { type FieldFacts, type TypeFacts, typeFacts } from '#lib/api/types.ts';
import type { ValueFacts } from '#lib/api/values.ts';
import type { GroupVersionKind } from '#lib/machinery/schema.ts';
import type { PatchField, PatchSchema } from './schema.ts';

const structs = new Map<TypeFacts, PatchSchema>();

/** Returns the schema of a built-in kind for strategic merge patch; undefined if the kind does not exist. */
export function patchSchema(kind: GroupVersionKind): PatchSchema | undefined {
  const facts = findKind(kind);
  return facts === undefined ? undefined : structSchema(facts);
}

function structSchema(facts: TypeFacts): PatchSchema {
  const known = structs.get(facts);
  if (known !== undefined) return known;
  const fields = new Map<string, PatchField>();
  const schema: PatchSchema = { name: facts.go, kind: 'struct', field: (name) => fieldOf(facts, fields, name) };
  structs.set(facts, schema);
  return schema;
}

/** Returns a field by its exact name, otherwise by its name in another case, like Go's decoder. */
function fieldOf(facts: TypeFacts, known: Map<string, PatchField>, name: string): PatchField | undefined {
  const found = known.get(name);
  if (found !== undefined) return found;
  const fact = facts.field.get(name) ?? facts.fields.find((it) => it.name.toLowerCase() === name.toLowerCase());
  if (fact === undefined) return undefined;
  const field = patchField(fact);
  known.set(fact.name, field);
  return field;
}

function patchField({ value, patchStrategy, patchMergeKey = '' }: FieldFacts): PatchField {
  return { strategies: patchStrategy, mergeKey: patchMergeKey, type: typeOf(value) };
}

function typeOf(value: ValueFacts): PatchSchema {
  switch (value.form) {
    case 'struct':
      return structSchema(typeFacts(value.type));
    case 'list':
      return { name: '', kind: 'slice', items: typeOf(value.of) };
    case 'map':
      return { name: '', kind: 'map' };
    case 'bytes':
      return { name: '', kind: 'slice', items: { name: 'uint8', kind: 'int' } };
    default:
      return scalarType(value);
  }
}

/** Types with their own codec are structs without patchable fields. */
function scalarType({ form, go }: ValueFacts): PatchSchema {
  if (form === 'string') return { name: 'string', kind: 'string' };
  if (form === 'bool') return { name: 'bool', kind: 'bool' };
  if (form === 'double') return { name: 'float64', kind: 'float64' };
  if (form === 'int32' || form === 'int64') return { name: form, kind: 'int' };
  return { name: go.slice(go.lastIndexOf('.') + 1), kind: 'struct', field: () => undefined };
}
