import { defined } from '#lib/machinery/defined.ts';
import { copyEmpties } from '#lib/machinery/empties.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';

/** `x-kubernetes-validations`: one CEL rule, kept as text. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/**
 * `apiextensions.JSONSchemaProps`, upstream's internal form. Go's zero values (empty text, false, empty lists, null) are absent. `default`
 * and `example` are shared with the source JSON. Clone them before use.
 */
export interface JSONSchemaProps {
  id?: string;
  schema?: string;
  ref?: string;
  description?: string;
  type?: string;
  nullable?: boolean;
  format?: string;
  title?: string;
  default?: Json;
  maximum?: number;
  exclusiveMaximum?: boolean;
  minimum?: number;
  exclusiveMinimum?: boolean;
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  maxItems?: number;
  minItems?: number;
  uniqueItems?: boolean;
  multipleOf?: number;
  enum?: readonly Json[];
  maxProperties?: number;
  minProperties?: number;
  required?: readonly string[];
  items?: JSONSchemaProps;
  /** The array form of `items`, which validation rejects. */
  itemSchemas?: readonly JSONSchemaProps[];
  allOf?: readonly JSONSchemaProps[];
  oneOf?: readonly JSONSchemaProps[];
  anyOf?: readonly JSONSchemaProps[];
  not?: JSONSchemaProps;
  properties?: ReadonlyMap<string, JSONSchemaProps>;
  additionalProperties?: JSONSchemaProps | boolean;
  patternProperties?: ReadonlyMap<string, JSONSchemaProps>;
  dependencies?: ReadonlyMap<string, JSONSchemaProps | readonly string[]>;
  additionalItems?: JSONSchemaProps | boolean;
  definitions?: ReadonlyMap<string, JSONSchemaProps>;
  externalDocs?: JsonObject;
  example?: Json;
  preserveUnknownFields?: boolean;
  embeddedResource?: boolean;
  intOrString?: boolean;
  listMapKeys?: readonly string[];
  listType?: string;
  mapType?: string;
  validations?: readonly ValidationRule[];
}

/** Converts a JSON field to a property. Undefined leaves the property absent. */
type Reader = (value: Json) => unknown;
type Field = readonly [name: keyof JSONSchemaProps, read: Reader];

const text: Reader = (value) => (typeof value === 'string' && value !== '' ? value : undefined);
const pointer: Reader = (value) => (typeof value === 'string' ? value : undefined);
const flag: Reader = (value) => (value === true ? true : undefined);
const flagPointer: Reader = (value) => (typeof value === 'boolean' ? value : undefined);
const count: Reader = (value) => (typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined);
const any: Reader = (value) => (value === null ? undefined : value);
const list: Reader = (value) => (Array.isArray(value) && value.length > 0 ? value : undefined);
const schema: Reader = (value) => (isObject(value) ? parseProps(value) : undefined);
const schemaOrBool: Reader = (value) => (typeof value === 'boolean' ? value : schema(value));
const schemas: Reader = (value) => (Array.isArray(value) && value.length > 0 ? value.map(parseProps) : undefined);
const schemaMap: Reader = (value) => mapOf(value, parseProps);
const dependencies: Reader = (value) =>
  mapOf<unknown>(value, (item) => (Array.isArray(item) ? item : parseProps(item)), true);

function mapOf<T>(value: Json, readItem: (item: Json) => T, keepEmpty = false): ReadonlyMap<string, T> | undefined {
  if (!isObject(value)) return undefined;
  const map = new Map<string, T>();
  for (const name of Object.keys(value)) map.set(name, readItem(value[name] as Json));
  return map.size === 0 && !keepEmpty ? undefined : map;
}

function rules(value: Json): readonly ValidationRule[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.map((item) => {
    const rule = isObject(item) ? item : {};
    const reason = pointer(rule.reason ?? null) as string | undefined;
    const optional = flagPointer(rule.optionalOldSelf ?? null) as boolean | undefined;
    return {
      rule: (text(rule.rule ?? null) as string | undefined) ?? '',
      ...optionalText(rule, 'message'),
      ...optionalText(rule, 'messageExpression'),
      ...optionalText(rule, 'fieldPath'),
      ...defined({ reason, optionalOldSelf: optional }),
    };
  });
}

function optionalText(object: JsonObject, name: string): Record<string, string> {
  const value = object[name];
  return typeof value === 'string' && value !== '' ? { [name]: value } : {};
}

const FIELDS: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['id', ['id', text]],
  ['$schema', ['schema', text]],
  ['$ref', ['ref', pointer]],
  ['description', ['description', text]],
  ['type', ['type', text]],
  ['nullable', ['nullable', flag]],
  ['format', ['format', text]],
  ['title', ['title', text]],
  ['default', ['default', any]],
  ['maximum', ['maximum', count]],
  ['exclusiveMaximum', ['exclusiveMaximum', flag]],
  ['minimum', ['minimum', count]],
  ['exclusiveMinimum', ['exclusiveMinimum', flag]],
  ['maxLength', ['maxLength', count]],
  ['minLength', ['minLength', count]],
  ['pattern', ['pattern', text]],
  ['maxItems', ['maxItems', count]],
  ['minItems', ['minItems', count]],
  ['uniqueItems', ['uniqueItems', flag]],
  ['multipleOf', ['multipleOf', count]],
  ['enum', ['enum', list]],
  ['maxProperties', ['maxProperties', count]],
  ['minProperties', ['minProperties', count]],
  ['required', ['required', list]],
  ['allOf', ['allOf', schemas]],
  ['oneOf', ['oneOf', schemas]],
  ['anyOf', ['anyOf', schemas]],
  ['not', ['not', schema]],
  ['properties', ['properties', schemaMap]],
  ['additionalProperties', ['additionalProperties', schemaOrBool]],
  ['patternProperties', ['patternProperties', schemaMap]],
  ['dependencies', ['dependencies', dependencies]],
  ['additionalItems', ['additionalItems', schemaOrBool]],
  ['definitions', ['definitions', schemaMap]],
  ['externalDocs', ['externalDocs', any]],
  ['example', ['example', any]],
  ['x-kubernetes-preserve-unknown-fields', ['preserveUnknownFields', flagPointer]],
  ['x-kubernetes-embedded-resource', ['embeddedResource', flag]],
  ['x-kubernetes-int-or-string', ['intOrString', flag]],
  ['x-kubernetes-list-map-keys', ['listMapKeys', list]],
  ['x-kubernetes-list-type', ['listType', pointer]],
  ['x-kubernetes-map-type', ['mapType', pointer]],
  ['x-kubernetes-validations', ['validations', rules]],
]);

/**
 * Reads a decoded JSONSchemaProps object. Fields of a wrong type and unknown fields become absent. Fields that are explicitly empty are
 * listed by their JSON names.
 */
export function parseProps(json: Json): JSONSchemaProps {
  const props: JSONSchemaProps = {};
  if (!isObject(json)) return props;
  for (const name of Object.keys(json)) read(props, name, json[name] as Json);
  copyEmpties(json, props);
  return props;
}

function read(props: JSONSchemaProps, name: string, value: Json): void {
  if (name === 'items') readItems(props, value);
  const field = FIELDS.get(name);
  const result = field?.[1](value);
  if (field !== undefined && result !== undefined) (props as Record<string, unknown>)[field[0]] = result;
}

function readItems(props: JSONSchemaProps, value: Json): void {
  if (Array.isArray(value)) props.itemSchemas = value.map(parseProps);
  else if (isObject(value)) props.items = parseProps(value);
}

/** Returns the schema of additional values, if any. */
export function additionalSchema(props: JSONSchemaProps): JSONSchemaProps | undefined {
  return typeof props.additionalProperties === 'object' ? props.additionalProperties : undefined;
}

/** Upstream's `SchemaHas`: whether `test` holds for the schema or any nested schema. */
export function schemaHas(props: JSONSchemaProps | undefined, test: (s: JSONSchemaProps) => boolean): boolean {
  if (props === undefined) return false;
  if (test(props)) return true;
  if (isLeaf(props)) return false;
  for (const child of children(props)) if (schemaHas(child, test)) return true;
  return false;
}

const NESTING: ReadonlySet<string> = new Set<keyof JSONSchemaProps>([
  'items',
  'itemSchemas',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'properties',
  'patternProperties',
  'definitions',
  'additionalProperties',
  'additionalItems',
  'dependencies',
]);

/**
 * Whether the schema has no nested schema. Most schemas have two or three fields, so checking those is cheaper than checking for each
 * nesting field.
 */
export function isLeaf(props: JSONSchemaProps): boolean {
  for (const field in props) if (NESTING.has(field)) return false;
  return true;
}

function* children(props: JSONSchemaProps): Generator<JSONSchemaProps> {
  if (props.items !== undefined) yield props.items;
  for (const group of [props.itemSchemas, props.allOf, props.anyOf, props.oneOf]) if (group !== undefined) yield* group;
  if (props.not !== undefined) yield props.not;
  for (const map of [props.properties, props.patternProperties, props.definitions]) {
    if (map !== undefined) yield* map.values();
  }
  for (const either of [props.additionalProperties, props.additionalItems])
    if (typeof either === 'object') yield either;
  for (const item of props.dependencies?.values() ?? []) if (!Array.isArray(item)) yield item as JSONSchemaProps;
}
