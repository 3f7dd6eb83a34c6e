import { defined } from '#lib/machinery/defined.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersion } from '#lib/machinery/schema.ts';
import { type FieldFacts, type TypeFacts, typeFacts } from '../types.ts';
import type { ScalarForm, ValueFacts } from '../values.ts';
import { schemaName } from './names.ts';

/** The types with a special JSON form, and their schemas in the documents. */
const SPECIAL: Readonly<Partial<Record<ScalarForm, readonly [type: string, schema: JsonObject]>>> = {
  quantity: ['api.resource.Quantity', { oneOf: [{ type: 'string' }, { type: 'number' }] }],
  time: ['meta.v1.Time', { type: 'string', format: 'date-time' }],
  microtime: ['meta.v1.MicroTime', { type: 'string', format: 'date-time' }],
  intstr: ['util.intstr.IntOrString', { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] }],
  raw: ['runtime.RawExtension', { type: 'object' }],
  fieldsv1: ['meta.v1.FieldsV1', { type: 'object' }],
  json: ['apiextensions.v1.JSON', {}],
  schemaorarray: ['apiextensions.v1.JSONSchemaPropsOrArray', {}],
  schemaorbool: ['apiextensions.v1.JSONSchemaPropsOrBool', {}],
  schemaorstrings: ['apiextensions.v1.JSONSchemaPropsOrStringArray', {}],
};
const SPECIAL_SCHEMAS = new Map(Object.values(SPECIAL).map(([type, schema]) => [type, schema]));

const SCALARS: Readonly<Partial<Record<ScalarForm, JsonObject>>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  duration: { type: 'string' },
};

/** The type that a value refers to with `$ref`. */
function referenced(value: ValueFacts): string | undefined {
  if (value.form === 'struct') return value.type;
  if (value.form === 'list' || value.form === 'map') return referenced(value.of);
  return SPECIAL[value.form]?.[0];
}

/** The schemas of `roots` and of everything they refer to, by full name, as in the document of `groupVersion`. */
export function schemasOf(roots: Iterable<string>, groupVersion: GroupVersion): JsonObject {
  const schemas: JsonObject = {};
  const pending = [...roots];
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    const name = schemaName(type);
    if (Object.hasOwn(schemas, name)) continue;
    const special = SPECIAL_SCHEMAS.get(type);
    schemas[name] = special ?? typeSchema(typeFacts(type), groupVersion);
    if (special === undefined) pending.push(...typeFacts(type).fields.flatMap(({ value }) => referenced(value) ?? []));
  }
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function typeSchema(type: TypeFacts, groupVersion: GroupVersion): JsonObject {
  const properties = Object.fromEntries(type.fields.map((field) => [field.name, fieldSchema(field)]));
  const required = type.fields.filter((field) => field.required).map(({ name }) => name);
  return {
    ...(type.fields.length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
    type: 'object',
    ...kindsOf(type, groupVersion),
    ...defined({ 'x-kubernetes-map-type': type.mapType }),
    ...(type.unions === undefined ? {} : { 'x-kubernetes-unions': type.unions as unknown as Json }),
  };
}

/** The kinds of a type. A type that exists in every group is listed for the core group and for the document's own group. */
function kindsOf(type: TypeFacts, { group, version }: GroupVersion): JsonObject {
  const kinds = type.kind === undefined ? [] : [type.kind];
  if (type.everywhere) {
    kinds.push({ group: '', version: 'v1', kind: type.go });
    if (group !== '') kinds.push({ group, version, kind: type.go });
  }
  return kinds.length === 0 ? {} : { 'x-kubernetes-group-version-kind': kinds.map((kind) => ({ ...kind })) };
}

/** A field's schema. A reference with sibling fields moves into `allOf`. */
function fieldSchema(field: FieldFacts): JsonObject {
  const beside: JsonObject = {
    ...defined({ default: field.default }),
    ...(field.listMapKeys.length === 0 ? {} : { 'x-kubernetes-list-map-keys': [...field.listMapKeys] }),
    ...defined({
      'x-kubernetes-list-type': field.listType,
      'x-kubernetes-map-type': field.mapType,
      'x-kubernetes-patch-merge-key': field.patchMergeKey,
    }),
    ...(field.patchStrategy.length === 0 ? {} : { 'x-kubernetes-patch-strategy': field.patchStrategy.join(',') }),
  };
  const schema = valueSchema(field.value);
  if (schema['$ref'] === undefined || field.bare) return { ...schema, ...beside };
  return { allOf: [schema], ...beside };
}

function valueSchema(value: ValueFacts): JsonObject {
  if (value.form === 'list') return { type: 'array', items: valueSchema(value.of) };
  if (value.form === 'map') return { type: 'object', additionalProperties: valueSchema(value.of) };
  const reference = referenced(value);
  if (reference !== undefined) return { $ref: `#/components/schemas/${schemaName(reference)}` };
  return { ...(value.form === 'struct' ? {} : SCALARS[value.form]) };
}
