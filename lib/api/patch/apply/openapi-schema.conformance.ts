import { defined } from '#lib/machinery/defined.ts';
import {
  arrayAt,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  ownField,
  stringAt,
} from '#lib/machinery/json-value.ts';
import {
  DEDUCED,
  type Field,
  type ListType,
  type MapType,
  type Scalar,
  type TypedSchema,
  UNTYPED_ATOMIC,
} from './schema.ts';

/** Returns the type of a reference such as `io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta`. */
export type Types = (name: string) => TypedSchema | JsonReference | undefined;

/** A named type, given as an OpenAPI schema. */
interface JsonReference {
  readonly openAPI: JsonObject;
}

interface Context {
  readonly types: Types;
  readonly known: Map<string, TypedSchema>;
  /** Whether objects here keep fields that their schema does not name. */
  readonly preserve: boolean;
}

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const RAW_EXTENSION = 'io.k8s.apimachinery.pkg.runtime.RawExtension';

/**
 * Returns the type of an OpenAPI v3 schema, with references, list types and patch strategies interpreted like upstream's schemaconv. Nested
 * schemas are read on first use.
 */
export function typedSchemaOf(schema: JsonObject, types: Types, preserve = false): TypedSchema {
  return schemaOf(schema, { types, known: new Map(), preserve });
}

function schemaOf(schema: JsonObject, context: Context): TypedSchema {
  const reference = referenceOf(schema);
  if (reference !== undefined) return override(named(reference, context), schema);
  const preserve = context.preserve || ownField(schema, 'x-kubernetes-preserve-unknown-fields') === true;
  return inlined(schema, { ...context, preserve });
}

function referenceOf(schema: JsonObject): string | undefined {
  const all = arrayAt(schema, 'allOf');
  const only = all.length === 1 && isObject(all[0]) ? stringAt(all[0], '$ref') : undefined;
  const reference = stringAt(schema, '$ref') ?? only;
  return reference?.slice(reference.lastIndexOf('/') + 1);
}

function named(name: string, context: Context): TypedSchema {
  const known = context.known.get(name);
  if (known !== undefined) return known;
  const type = namedType(name, context);
  context.known.set(name, type);
  return type;
}

function namedType(name: string, context: Context): TypedSchema {
  if (name === QUANTITY) return { scalar: 'untyped' };
  if (name === RAW_EXTENSION) return UNTYPED_ATOMIC;
  const type = context.types(name) ?? UNTYPED_ATOMIC;
  return 'openAPI' in type ? schemaOf(type.openAPI, { ...context, preserve: false }) : type;
}

/** A field may override whether the map that it refers to is atomic or granular. */
function override(type: TypedSchema, schema: JsonObject): TypedSchema {
  const relationship = stringAt(schema, 'x-kubernetes-map-type');
  if (relationship === undefined || type.map === undefined) return type;
  const { fields, values } = type.map;
  return { ...type, map: { atomic: relationship === 'atomic', fields, ...defined({ values }) } };
}

function inlined(schema: JsonObject, context: Context): TypedSchema {
  switch (stringAt(schema, 'type')) {
    case 'object':
      return { map: mapOf(schema, context) };
    case 'array':
      return { list: listOf(schema, context) };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'string':
      return { scalar: textScalar(stringAt(schema, 'format') ?? '') };
    default:
      return { scalar: 'untyped', list: listOf(schema, context), map: mapOf(schema, context) };
  }
}

const textScalar = (format: string): Scalar => (format === '' || format === 'byte' ? 'string' : 'untyped');

function mapOf(schema: JsonObject, context: Context): MapType {
  const properties = withEmbedded(schema);
  const fields = new Map<string, Field>();
  for (const name of Object.keys(properties)) {
    const property = properties[name];
    if (isObject(property)) fields.set(name, lazyField(property, context));
  }
  const atomic = stringAt(schema, 'x-kubernetes-map-type') === 'atomic';
  return lazyValues({ atomic, fields }, schema, fields.size, context);
}

const OBJECT_META = '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** An embedded resource has the fields of every object. */
function withEmbedded(schema: JsonObject): JsonObject {
  const properties = objectAt(schema, 'properties') ?? {};
  if (ownField(schema, 'x-kubernetes-embedded-resource') !== true) return properties;
  const text = { type: 'string' };
  return { ...properties, apiVersion: text, kind: text, metadata: { $ref: OBJECT_META } };
}

function lazyField(property: JsonObject, context: Context): Field {
  const type = lazy(() => schemaOf(property, context));
  const fallback = ownField(property, 'default');
  return Object.defineProperty(fallback === undefined ? {} : { default: fallback }, 'type', { get: type }) as Field;
}

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function lazyValues(map: MapType, schema: JsonObject, properties: number, context: Context): MapType {
  const additional = ownField(schema, 'additionalProperties');
  if (isObject(additional))
    return Object.defineProperty(map, 'values', { get: lazy(() => schemaOf(additional, context)) });
  const open = additional === undefined ? context.preserve || properties === 0 : additional === true;
  return open ? { ...map, values: DEDUCED } : map;
}

function listOf(schema: JsonObject, context: Context): ListType {
  const items = objectAt(schema, 'items');
  const type = lazy(() => (items === undefined ? UNTYPED_ATOMIC : schemaOf(items, context)));
  return Object.defineProperty(relationshipOf(schema), 'items', { get: type }) as ListType;
}

/** Returns the declared list type, otherwise the one implied by the patch strategy. */
function relationshipOf(schema: JsonObject): Omit<ListType, 'items'> {
  const declared = stringAt(schema, 'x-kubernetes-list-type');
  if (declared !== undefined) {
    const keys = declared === 'map' ? arrayAt(schema, 'x-kubernetes-list-map-keys').filter(isText) : [];
    return { relationship: declared === 'set' || declared === 'map' ? 'associative' : 'atomic', keys };
  }
  const strategies = (stringAt(schema, 'x-kubernetes-patch-strategy') ?? '').split(',');
  if (strategies[0] !== 'merge') return { relationship: 'atomic', keys: [] };
  const key = stringAt(schema, 'x-kubernetes-patch-merge-key');
  return { relationship: 'associative', keys: key === undefined ? [] : [key] };
}

const isText = (value: Json): value is string => typeof value === 'string';
