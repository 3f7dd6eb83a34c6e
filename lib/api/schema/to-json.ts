import { type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';
import type { JSONSchemaProps } from './json-schema-props.ts';

/** Properties that have a different name in JSON. */
const NAMES: Readonly<Record<string, string>> = {
  schema: '$schema',
  ref: '$ref',
  preserveUnknownFields: 'x-kubernetes-preserve-unknown-fields',
  embeddedResource: 'x-kubernetes-embedded-resource',
  intOrString: 'x-kubernetes-int-or-string',
  listMapKeys: 'x-kubernetes-list-map-keys',
  listType: 'x-kubernetes-list-type',
  mapType: 'x-kubernetes-map-type',
  validations: 'x-kubernetes-validations',
};

/** Properties whose values are schemas, lists or maps of schemas. */
const NESTED: ReadonlySet<string> = new Set([
  'items',
  'allOf',
  'oneOf',
  'anyOf',
  'not',
  'properties',
  'additionalProperties',
]);

/** Encodes a structural schema as OpenAPI JSON, the inverse of `parseProps`. Shares default values and lists with the schema. */
export function toJson(s: JSONSchemaProps): JsonObject {
  const json: JsonObject = {};
  for (const [name, value] of Object.entries(s)) {
    if (value !== undefined) setField(json, NAMES[name] ?? name, NESTED.has(name) ? nested(value) : (value as Json));
  }
  return json;
}

function nested(value: unknown): Json {
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((item: JSONSchemaProps) => toJson(item));
  if (!(value instanceof Map)) return toJson(value as JSONSchemaProps);
  const json: JsonObject = {};
  for (const [name, item] of value as ReadonlyMap<string, JSONSchemaProps>) setField(json, name, toJson(item));
  return json;
}
