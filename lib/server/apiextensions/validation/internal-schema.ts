import type { JSONSchemaProps, ValidationRule } from '#lib/api/schema/json-schema-props.ts';
import { wasEmpty } from '#lib/machinery/empties.ts';

/** Upstream's internal JSONSchemaProps in messages: a Go struct without JSON tags, in field order. */
type GoValue = unknown;

const child = (s: JSONSchemaProps | undefined): GoValue => (s === undefined ? null : internalSchema(s));
const list = (items: readonly JSONSchemaProps[] | undefined): GoValue => items?.map(internalSchema) ?? null;
const byName = (map: ReadonlyMap<string, JSONSchemaProps> | undefined): GoValue =>
  map === undefined ? null : Object.fromEntries([...map].map(([name, s]) => [name, internalSchema(s)]));
const orBool = (value: JSONSchemaProps | boolean | undefined): GoValue =>
  value === undefined
    ? null
    : struct({ Allows: value !== false, Schema: child(typeof value === 'object' ? value : undefined) });
const struct = (members: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(members));

const rule = ({
  rule: text,
  message,
  messageExpression,
  reason,
  fieldPath,
  optionalOldSelf,
}: ValidationRule): GoValue =>
  struct({
    Rule: text,
    Message: message ?? '',
    MessageExpression: messageExpression ?? '',
    Reason: reason ?? null,
    FieldPath: fieldPath ?? '',
    OptionalOldSelf: optionalOldSelf ?? null,
  });

/** The `items` of a schema in messages. */
export function internalItems(s: JSONSchemaProps): GoValue {
  if (s.items === undefined && s.itemSchemas === undefined) return null;
  return struct({ Schema: child(s.items), JSONSchemas: list(s.itemSchemas) });
}

function dependencies(s: JSONSchemaProps): GoValue {
  if (s.dependencies === undefined) return null;
  const shown = [...s.dependencies].map(([name, item]) => {
    const either = Array.isArray(item)
      ? { Schema: null, Property: item }
      : { Schema: internalSchema(item as JSONSchemaProps), Property: null };
    return [name, struct(either)];
  });
  return Object.fromEntries(shown);
}

function externalDocs({ externalDocs: docs }: JSONSchemaProps): GoValue {
  return docs === undefined ? null : struct({ Description: docs['description'] ?? '', URL: docs['url'] ?? '' });
}

/** Formatters by Go field name, in Go's order. */
const FIELDS: ReadonlyArray<readonly [string, (s: JSONSchemaProps) => GoValue]> = [
  ['ID', (s) => s.id ?? ''],
  ['Schema', (s) => s.schema ?? ''],
  ['Ref', (s) => s.ref ?? null],
  ['Description', (s) => s.description ?? ''],
  ['Type', (s) => s.type ?? ''],
  ['Nullable', (s) => s.nullable ?? false],
  ['Format', (s) => s.format ?? ''],
  ['Title', (s) => s.title ?? ''],
  ['Default', (s) => s.default ?? null],
  ['Maximum', (s) => s.maximum ?? null],
  ['ExclusiveMaximum', (s) => s.exclusiveMaximum ?? false],
  ['Minimum', (s) => s.minimum ?? null],
  ['ExclusiveMinimum', (s) => s.exclusiveMinimum ?? false],
  ['MaxLength', (s) => s.maxLength ?? null],
  ['MinLength', (s) => s.minLength ?? null],
  ['Pattern', (s) => s.pattern ?? ''],
  ['MaxItems', (s) => s.maxItems ?? null],
  ['MinItems', (s) => s.minItems ?? null],
  ['UniqueItems', (s) => s.uniqueItems ?? false],
  ['MultipleOf', (s) => s.multipleOf ?? null],
  ['Enum', (s) => s.enum ?? null],
  ['MaxProperties', (s) => s.maxProperties ?? null],
  ['MinProperties', (s) => s.minProperties ?? null],
  ['Required', (s) => s.required ?? null],
  ['Items', internalItems],
  ['AllOf', (s) => list(s.allOf)],
  ['OneOf', (s) => list(s.oneOf)],
  ['AnyOf', (s) => list(s.anyOf)],
  ['Not', (s) => child(s.not)],
  ['Properties', (s) => byName(s.properties)],
  ['AdditionalProperties', (s) => orBool(s.additionalProperties)],
  ['PatternProperties', (s) => byName(s.patternProperties)],
  ['Dependencies', dependencies],
  ['AdditionalItems', (s) => orBool(s.additionalItems)],
  ['Definitions', (s) => byName(s.definitions)],
  ['ExternalDocs', externalDocs],
  ['Example', (s) => s.example ?? null],
  ['XPreserveUnknownFields', (s) => s.preserveUnknownFields ?? null],
  ['XEmbeddedResource', (s) => s.embeddedResource ?? false],
  ['XIntOrString', (s) => s.intOrString ?? false],
  ['XListMapKeys', (s) => s.listMapKeys ?? null],
  ['XListType', (s) => s.listType ?? null],
  ['XMapType', (s) => s.mapType ?? null],
  ['XValidations', (s) => s.validations?.map(rule) ?? null],
];

/** Lists and maps by Go field name: their JSON names, and the text of an explicitly empty one in messages. */
const COLLECTIONS: ReadonlyMap<string, readonly [string, GoValue]> = new Map([
  ['Enum', ['enum', []]],
  ['Required', ['required', []]],
  ['AllOf', ['allOf', []]],
  ['OneOf', ['oneOf', []]],
  ['AnyOf', ['anyOf', []]],
  ['Properties', ['properties', {}]],
  ['PatternProperties', ['patternProperties', {}]],
  ['Definitions', ['definitions', {}]],
  ['XListMapKeys', ['x-kubernetes-list-map-keys', []]],
  ['XValidations', ['x-kubernetes-validations', []]],
]);

function fields(s: JSONSchemaProps, shown = s): (readonly [string, GoValue])[] {
  return FIELDS.map(([name, show]) => {
    const [json, empty] = COLLECTIONS.get(name) ?? [];
    return [name, json !== undefined && wasEmpty(s, json) ? empty : show(shown)];
  });
}

/** Returns the schema in the form in which messages contain it. */
export function internalSchema(s: JSONSchemaProps): ReadonlyMap<string, unknown> {
  return new Map(fields(s));
}

const NO_PROPERTIES: ReadonlyMap<string, JSONSchemaProps> = new Map();

/** Returns the Go names of the set fields in Go's order. A pointer counts if it is not nil. */
export function setFields(s: JSONSchemaProps): string[] {
  // Properties make up most of a schema, and only their presence is relevant here.
  const outline = s.properties === undefined ? s : { ...s, properties: NO_PROPERTIES };
  return fields(s, outline)
    .filter(([name, shown]) => shown !== null && (POINTERS.has(name) || (shown !== '' && shown !== false)))
    .map(([name]) => name);
}

const POINTERS: ReadonlySet<string> = new Set([
  'Ref',
  'Default',
  'Example',
  'XListType',
  'XMapType',
  'XPreserveUnknownFields',
]);

/** Fields that the root of a schema may have with a status subresource, in addition to its type. */
export const ROOT_FIELDS: readonly string[] = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];
