import { metadataSchema } from '#lib/api/patch/apply/kind-schema.ts';
import {
  DEDUCED,
  type Field,
  type ListType,
  type MapType,
  type Scalar,
  type TypedSchema,
  UNTYPED_ATOMIC,
} from '#lib/api/patch/apply/schema.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { additionalSchema } from './json-schema-props.ts';
import type { Structural } from './structural.ts';

/**
 * Returns the structured-merge schema of a whole resource, with the metadata of every kind. Without a schema, types are deduced from
 * values. Nested types are created on first use.
 */
export function typedResource(schema: Structural | undefined, preserveUnknownFields: boolean): TypedSchema {
  if (schema === undefined) return DEDUCED;
  return convert({ ...schema, type: 'object', embeddedResource: true }, preserveUnknownFields);
}

function convert(s: Structural, outer: boolean): TypedSchema {
  const preserve = outer || s.preserveUnknownFields === true;
  switch (s.type) {
    case 'object':
      return { map: mapOf(s, preserve) };
    case 'array':
      return { list: listOf(s, preserve) };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'string':
      return { scalar: textScalar(s.format ?? '') };
    default:
      return { scalar: 'untyped', list: listOf(s, preserve), map: mapOf(s, preserve) };
  }
}

const textScalar = (format: string): Scalar => (format === '' || format === 'byte' ? 'string' : 'untyped');

function mapOf(s: Structural, preserve: boolean): MapType {
  const fields = new Map<string, Field>();
  for (const [name, property] of s.properties ?? []) fields.set(name, lazyField(property, preserve));
  if (s.embeddedResource === true) for (const [name, field] of metaFields()) fields.set(name, field);
  const map = { atomic: s.mapType === 'atomic', fields };
  const additional = additionalSchema(s);
  if (additional !== undefined) return lazily(map, 'values', () => convert(additional, preserve));
  const open = s.additionalProperties === undefined ? preserve || fields.size === 0 : s.additionalProperties === true;
  return open ? { ...map, values: DEDUCED } : map;
}

function metaFields(): readonly (readonly [string, Field])[] {
  const text: Field = { type: { scalar: 'string' } };
  return [
    ['apiVersion', text],
    ['kind', text],
    ['metadata', { type: metadataSchema() }],
  ];
}

function lazyField(property: Structural, preserve: boolean): Field {
  const fallback: { default?: Json } = property.default === undefined ? {} : { default: property.default };
  return lazily(fallback, 'type', () => convert(property, preserve));
}

function listOf(s: Structural, preserve: boolean): ListType {
  const { items } = s;
  const associative = s.listType === 'set' || s.listType === 'map';
  const keys = s.listType === 'map' ? (s.listMapKeys ?? []) : [];
  const list = { relationship: associative ? ('associative' as const) : ('atomic' as const), keys };
  return lazily(list, 'items', () => (items === undefined ? UNTYPED_ATOMIC : convert(items, preserve)));
}

/** Returns `object` with a property that is created on first access. */
function lazily<T extends object, K extends string>(
  object: T,
  name: K,
  make: () => TypedSchema,
): T & Record<K, TypedSchema> {
  let made: TypedSchema | undefined;
  const get = (): TypedSchema => (made ??= make());
  return Object.defineProperty(object, name, { get, enumerable: true }) as T & Record<K, TypedSchema>;
}
