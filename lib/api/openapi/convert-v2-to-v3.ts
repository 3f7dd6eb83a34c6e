import { defined } from '#lib/machinery/defined.ts';
import { isObject, type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { mapValues } from './map-values.ts';
import type { Spec } from './spec.ts';

/** The fields of operations, responses and parameters that both versions have. */
const OPERATION = ['description', 'externalDocs', 'tags', 'summary', 'deprecated', 'operationId'];
const METHODS: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']);

/** Converts an OpenAPI v2 document to v3, with the same coverage as kube-openapi's ConvertV2ToV3. */
export function convertV2ToV3({ paths, definitions, parameters }: Spec, title: string): JsonObject {
  return {
    openapi: '3.0.0',
    info: { title, version: 'unversioned' },
    paths: mapValues(Object.fromEntries(paths), pathItem),
    components: {
      schemas: mapValues(Object.fromEntries(definitions), schema),
      ...(parameters.size === 0 ? {} : { parameters: mapValues(Object.fromEntries(parameters), parameter) }),
    },
  };
}

const extensions = (of: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(of).filter(([field]) => field.startsWith('x-')));
const some = (of: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(fields.flatMap((field) => (Object.hasOwn(of, field) ? [[field, of[field] as Json]] : [])));

const items = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
const texts = (value: Json | undefined): string[] => items(value).filter((it) => typeof it === 'string');

function pathItem(item: Json): Json {
  if (!isObject(item)) return {};
  const out = extensions(item);
  for (const [method, value] of Object.entries(item)) if (METHODS.has(method)) setField(out, method, operation(value));
  const { parameters } = item;
  const shared = items(parameters).map(parameter);
  return shared.length === 0 ? out : { ...out, parameters: shared };
}

function operation(value: Json): Json {
  if (!isObject(value)) return {};
  const { parameters: given, produces, consumes, responses } = value;
  const all = items(given).filter(isObject);
  const body = all.find(isBody);
  const parameters = all.filter((one) => one !== body).map(parameter);
  return {
    ...extensions(value),
    ...some(value, OPERATION),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...defined({ requestBody: body && { content: content(texts(consumes), body) } }),
    responses: mapValues(isObject(responses) ? responses : {}, (one) => response(one, texts(produces))),
  };
}

const isBody = ({ name, schema: of }: JsonObject): boolean => name === 'body' && isObject(of);

const content = (types: readonly string[], { schema: of = {} }: JsonObject): JsonObject =>
  Object.fromEntries(types.map((type) => [type, { schema: schema(of) }]));

function response(value: Json, produces: readonly string[]): Json {
  if (!isObject(value)) return {};
  const { schema: of, description = '' } = value;
  return { ...extensions(value), description, ...(of === undefined ? {} : { content: content(produces, value) }) };
}

function parameter(value: Json): Json {
  if (!isObject(value)) return {};
  const { $ref: reference, schema: of } = value;
  if (typeof reference === 'string') return { $ref: reference.replace('#/parameters/', '#/components/parameters/') };
  return {
    ...extensions(value),
    ...some(value, ['name', 'description', 'in', 'required', 'allowEmptyValue']),
    schema: schema(of ?? some(value, ['type', 'format', 'uniqueItems'])),
  };
}

const DEFINITIONS = '#/definitions/';

/** Converts a schema. A reference with sibling fields moves into `allOf`, as v3 requires. */
function schema(value: Json): Json {
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  for (const [field, item] of Object.entries(value)) setField(out, field, schemaField(field, item));
  const { $ref: reference, ...beside } = out;
  if (typeof reference !== 'string' || Object.keys(beside).length === 0) return out;
  return { ...beside, allOf: [{ $ref: reference }] };
}

function schemaField(field: string, value: Json): Json {
  if (field === '$ref' && typeof value === 'string')
    return value.startsWith(DEFINITIONS) ? `#/components/schemas/${value.slice(DEFINITIONS.length)}` : value;
  if (field === 'properties' && isObject(value)) return mapValues(value, schema);
  if (field === 'items' && Array.isArray(value)) return value.map(schema);
  return ['items', 'additionalProperties', 'additionalItems'].includes(field) ? schema(value) : value;
}
