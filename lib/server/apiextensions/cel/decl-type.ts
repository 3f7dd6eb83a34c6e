import { escapeProperty } from '#lib/api/cel/library/escaping.ts';
import { MAX_REQUEST_SIZE } from '#lib/api/cel/library/limits.ts';
import { additionalSchema, type JSONSchemaProps } from '#lib/api/schema/json-schema-props.ts';
import type { Structural } from '#lib/api/schema/structural.ts';

/** The kinds of scalars in CEL declarations. */
export type DeclKind = 'dyn' | 'bool' | 'int' | 'double' | 'string' | 'bytes' | 'duration' | 'timestamp';

/** The type of a schema in expressions: upstream's `cel.DeclType`. `minSize` is the size of the smallest JSON value. */
export type DeclType =
  | { readonly kind: DeclKind; readonly maxElements: number; readonly minSize: number }
  | {
      readonly kind: 'list' | 'map';
      readonly element: DeclType;
      readonly maxElements: number;
      readonly minSize: number;
    }
  | {
      readonly kind: 'object';
      /** Fields by escaped name. */
      readonly fields: ReadonlyMap<string, DeclType>;
      readonly maxElements: 0;
      readonly minSize: number;
    };

interface Declared {
  readonly plain?: { readonly type: DeclType | undefined };
  readonly resource?: { readonly type: DeclType | undefined };
}
const known = new WeakMap<Structural, Declared>();

/**
 * Returns the type of a schema. Undefined if expressions cannot access it, as for schemas without a type, and lists and maps of them.
 * Preserved unknown fields are not accessible either. `resource` is true at the root of a resource.
 */
export function declType(schema: Structural, resource = schema.embeddedResource === true): DeclType | undefined {
  const cached = known.get(schema);
  const kept = resource ? cached?.resource : cached?.plain;
  if (kept !== undefined) return kept.type;
  const type = declare(resource ? withTypeAndObjectMeta(schema) : schema);
  known.set(schema, { ...cached, [resource ? 'resource' : 'plain']: { type } });
  return type;
}

const STRING: JSONSchemaProps = { type: 'string' };
const METADATA: JSONSchemaProps = {
  type: 'object',
  properties: new Map([
    ['name', STRING],
    ['generateName', STRING],
  ]),
};

const resources = new WeakMap<Structural, Structural>();

/** Adds the fields of every resource to the schema: apiVersion, kind, metadata.name and metadata.generateName. */
export function withTypeAndObjectMeta(schema: Structural): Structural {
  const cached = resources.get(schema);
  if (cached !== undefined) return cached;
  const made = hasTypeAndObjectMeta(schema) ? schema : addTypeAndObjectMeta(schema);
  resources.set(schema, made);
  return made;
}

function hasTypeAndObjectMeta({ properties }: Structural): boolean {
  const metadata = properties?.get('metadata');
  const isString = (name: string, within = properties): boolean => within?.get(name)?.type === 'string';
  if (!isString('kind') || !isString('apiVersion') || metadata?.type !== 'object') return false;
  return isString('name', metadata.properties) && isString('generateName', metadata.properties);
}

function addTypeAndObjectMeta(schema: Structural): Structural {
  const { items: _items, ...rest } = schema;
  const properties = new Map(schema.properties ?? []);
  properties.set('kind', STRING).set('apiVersion', STRING).set('metadata', METADATA);
  return { ...rest, properties };
}

function declare(s: Structural): DeclType | undefined {
  if (s.intOrString === true) {
    return {
      kind: 'dyn',
      maxElements: s.maxLength === undefined ? MAX_REQUEST_SIZE - 2 : runes(s.maxLength),
      minSize: 1,
    };
  }
  switch (s.type) {
    case 'array':
      return declareList(s);
    case 'object':
      return additionalSchema(s) === undefined ? declareObject(s) : declareMap(s);
    case 'string':
      return declareString(s);
    case 'boolean':
      return { kind: 'bool', maxElements: 0, minSize: 4 };
    case 'number':
      return { kind: 'double', maxElements: 0, minSize: 1 };
    case 'integer':
      return { kind: 'int', maxElements: 0, minSize: 1 };
    default:
      return undefined;
  }
}

/** Returns the size in bytes. A character can take four bytes. */
const runes = (maxLength: number): number => Math.max(0, maxLength) * 4;

function declareList({ items, maxItems }: Structural): DeclType | undefined {
  const element = items === undefined ? undefined : declType(items);
  if (element === undefined) return undefined;
  const most =
    maxItems === undefined ? Math.floor((MAX_REQUEST_SIZE - 2) / (element.minSize + 1)) : Math.max(0, maxItems);
  return { kind: 'list', element, maxElements: most, minSize: 2 };
}

function declareMap(s: Structural): DeclType | undefined {
  const values = additionalSchema(s);
  const element = values === undefined ? undefined : declType(values);
  if (element === undefined) return undefined;
  const bound = Math.floor((MAX_REQUEST_SIZE - 2) / (element.minSize + 6));
  const most = s.maxProperties === undefined ? bound : Math.max(0, s.maxProperties);
  return { kind: 'map', element, maxElements: most, minSize: 2 };
}

function declareObject({ properties, required = [] }: Structural): DeclType {
  const fields = new Map<string, DeclType>();
  let minSize = 2;
  for (const [name, property] of properties ?? []) {
    const type = declType(property);
    if (type === undefined) continue;
    const escaped = escapeProperty(name);
    if (escaped !== undefined) fields.set(escaped, type);
    if (property.default === undefined && required.includes(name))
      minSize += Buffer.byteLength(name) + type.minSize + 4;
  }
  return { kind: 'object', fields, maxElements: 0, minSize };
}

function declareString({ format, maxLength, enum: values = [] }: Structural): DeclType {
  const most = MAX_REQUEST_SIZE - 2;
  switch (format) {
    case 'byte':
      return { kind: 'bytes', maxElements: maxLength === undefined ? most : Math.max(0, maxLength), minSize: 2 };
    case 'duration':
      return { kind: 'duration', maxElements: 32, minSize: 3 };
    case 'date':
      return { kind: 'timestamp', maxElements: 12, minSize: 12 };
    case 'date-time':
      return { kind: 'timestamp', maxElements: 32, minSize: 21 };
    default:
  }
  if (maxLength !== undefined) return { kind: 'string', maxElements: runes(maxLength), minSize: 2 };
  const lengths = values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0));
  return { kind: 'string', maxElements: values.length > 0 ? Math.max(...lengths) : most, minSize: 2 };
}
