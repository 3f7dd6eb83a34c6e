import {
  arrayAt,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  ownField,
  stringAt,
} from '#lib/machinery/json-value.ts';
import { moduleOf } from '#lib/machinery/package-name.ts';
import { upperSnake } from './kind-names.ts';

/**
 * TypeScript for every served version of a definition: an interface and its `Kind`. The storage version gets the name without a suffix.
 * Empty if the definition has no kind or serves no version.
 */
export function typesOf(definition: JsonObject): string {
  const spec = objectAt(definition, 'spec');
  const kind = stringAt(objectAt(spec, 'names'), 'kind') ?? '';
  const versions = kind === '' ? [] : arrayAt(spec, 'versions').filter(isObject);
  const served = versions.filter((version) => ownField(version, 'served') === true);
  return served.map((version) => ofVersion(version, kind, stringAt(spec, 'group') ?? '')).join('\n');
}

/** The import statement of the generated types. */
const IMPORTS = `import type { Kind, KubernetesObject } from '${moduleOf('controller')}';\n`;

/** Generated types as a module. */
export const withImports = (...types: readonly string[]): string => [IMPORTS, ...types].join('\n');

/** Fields with a default. The server always returns them, and a client may omit them. */
type Side = 'read' | 'written';

function ofVersion(version: JsonObject, kind: string, group: string): string {
  const name = stringAt(version, 'name') ?? '';
  const suffix = ownField(version, 'storage') === true ? '' : name.charAt(0).toUpperCase() + name.slice(1);
  const schema = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema') ?? {};
  const own = { ...schema, properties: withoutMeta(objectAt(schema, 'properties')) };
  const type = `${kind}${suffix}`;
  const named = [quoted(`${group}/${name}`), quoted(kind)];
  const body = (side: Side): string =>
    ` {\n  readonly apiVersion: ${named[0]};\n  readonly kind: ${named[1]};\n${fields(own, '  ', side)}}\n`;
  const [read, written] = [body('read'), body('written')];
  return [
    `${comment(schema, '')}export interface ${type} extends KubernetesObject${read}`,
    read === written
      ? ''
      : `${writtenComment(type)}export interface ${type}ApplyConfiguration extends KubernetesObject${written}`,
    `export const ${upperSnake(type)}: Kind<${type}> = { apiVersion: ${named[0]}, kind: ${named[1]} };\n`,
  ].join('');
}

const writtenComment = (type: string): string =>
  `/** A ${type} as a client writes it: the server fills in fields that have a default. */\n`;

function withoutMeta(properties: JsonObject = {}): JsonObject {
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = properties;
  return rest;
}

function fields(schema: JsonObject, indent: string, side: Side): string {
  const required = new Set(arrayAt(schema, 'required'));
  return Object.entries(objectAt(schema, 'properties') ?? {})
    .map(([name, property]) => {
      const of = isObject(property) ? property : {};
      const type = typeOf(of, indent, side);
      const isThere = ownField(of, 'default') === undefined ? required.has(name) : side === 'read';
      return `${comment(of, indent)}${indent}readonly ${key(name)}${isThere ? '' : '?'}: ${type};\n`;
    })
    .join('');
}

function typeOf(schema: JsonObject, indent: string, side: Side): string {
  const type = bare(schema, indent, side);
  return ownField(schema, 'nullable') === true ? `${type} | null` : type;
}

function bare(schema: JsonObject, indent: string, side: Side): string {
  if (ownField(schema, 'x-kubernetes-int-or-string') === true) return 'number | string';
  const values = arrayAt(schema, 'enum');
  if (values.length > 0) return values.map(literal).join(' | ');
  switch (stringAt(schema, 'type')) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return `readonly ${grouped(typeOf(objectAt(schema, 'items') ?? {}, indent, side))}[]`;
    case 'object':
      return objectType(schema, indent, side);
    default:
      return 'unknown';
  }
}

function objectType(schema: JsonObject, indent: string, side: Side): string {
  if (ownField(schema, 'x-kubernetes-embedded-resource') === true) return 'KubernetesObject';
  const inner = fields(schema, `${indent}  `, side);
  const isOpen = ownField(schema, 'x-kubernetes-preserve-unknown-fields') === true;
  if (inner !== '') return `{\n${inner}${isOpen ? `${indent}  readonly [field: string]: unknown;\n` : ''}${indent}}`;
  const values = objectAt(schema, 'additionalProperties');
  return `Readonly<Record<string, ${values === undefined ? 'unknown' : typeOf(values, indent, side)}>>`;
}

const grouped = (type: string): string => (/ \| |^readonly /.test(type) && !type.startsWith('{') ? `(${type})` : type);
const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
const literal = (value: Json): string =>
  typeof value === 'string' ? quoted(value) : value === null || typeof value !== 'object' ? String(value) : 'unknown';
const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

/** The schema's description, if it has one. */
function comment(schema: JsonObject, indent: string): string {
  const text = stringAt(schema, 'description')?.trim().replaceAll('*/', '*\\/').replace(/\s+/g, ' ');
  return text === undefined || text === '' ? '' : `${indent}/** ${text} */\n`;
}
