import { arrayAt, isObject, type Json, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import type { GroupVersion } from '#lib/machinery/schema.ts';
import { mapValues } from './map-values.ts';

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '200': 'OK',
  '201': 'Created',
  '202': 'Accepted',
  '401': 'Unauthorized',
};

/** The paths and definitions of an OpenAPI v2 document that come from one v3 document, by name. */
export interface SwaggerPart {
  readonly paths: JsonObject;
  readonly definitions: JsonObject;
}

/** Converts a complete or partial v3 document to v2. */
export function swaggerPart(document: JsonObject): SwaggerPart {
  const schemas = objectAt(objectAt(document, 'components'), 'schemas');
  return { paths: mapValues(objectAt(document, 'paths'), pathItem), definitions: mapValues(schemas, definition) };
}

/** The fields of an OpenAPI v2 document other than paths and definitions. */
export const swaggerHead = (version: string): JsonObject => ({
  swagger: '2.0',
  info: { title: 'Kubernetes', version },
  securityDefinitions: {
    BearerToken: { description: 'Bearer Token authentication', type: 'apiKey', name: 'authorization', in: 'header' },
  },
  security: [{ BearerToken: [] }],
});

/** Merges parts by name. A type that occurs in several parts gets the kinds of all of them. */
export function joinedParts(parts: Iterable<SwaggerPart>): SwaggerPart {
  const paths: JsonObject = {};
  const definitions: JsonObject = {};
  for (const part of parts) {
    Object.assign(paths, part.paths);
    for (const [name, schema] of Object.entries(part.definitions)) {
      definitions[name] = withKinds(isObject(schema) ? schema : {}, definitions[name]);
    }
  }
  return { paths: sortedByKey(paths), definitions: sortedByKey(definitions) };
}

/**
 * The OpenAPI v2 document (`/openapi/v2`) for v3 documents of built-in and custom resources. `version` is the server's. A type in several
 * documents keeps the kinds of all.
 */
export function openApiV2(documents: Iterable<JsonObject>, version: string): JsonObject {
  const { paths, definitions } = joinedParts(Array.from(documents, swaggerPart));
  const { swagger, info, ...rest } = swaggerHead(version);
  return { swagger: swagger ?? '', info: info ?? {}, paths, definitions, ...rest };
}

/** Adds kinds in these group versions to every type that is already listed for more than one group. */
export function withKindsOf(part: SwaggerPart, versions: readonly GroupVersion[]): SwaggerPart {
  const definitions = Object.entries(part.definitions).map(([name, schema]): [string, Json] => {
    const kinds = isObject(schema) ? arrayAt(schema, KINDS).filter(isObject) : [];
    const core = kinds.find((kind) => kind['group'] === '' && kind['version'] === 'v1');
    if (!isObject(schema) || core === undefined || kinds.length < 2) return [name, schema];
    const added = versions.map(({ group, version }) => ({ ...core, group, version }));
    return [name, { ...schema, [KINDS]: [...kinds, ...added] }];
  });
  return { paths: part.paths, definitions: Object.fromEntries(definitions) };
}

const sortedByKey = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

function pathItem(item: Json): Json {
  return mapValues(isObject(item) ? item : {}, (value, method) =>
    method === 'parameters' && Array.isArray(value) ? value.map(parameter) : operation(value),
  );
}

/** Converts a parameter. Its type moves to the same level as its name. */
function parameter(value: Json): Json {
  if (!isObject(value)) return value;
  const { schema, ...rest } = value;
  return { ...(isObject(schema) ? schema : {}), ...rest };
}

function operation(value: Json): Json {
  if (!isObject(value)) return value;
  const { requestBody, responses, parameters, ...rest } = value;
  const body = isObject(requestBody) ? requestBody : undefined;
  const own = [...(Array.isArray(parameters) ? parameters.map(parameter) : []), ...bodyParameter(body)];
  const consumes = Object.keys(objectAt(body, 'content') ?? {});
  return {
    ...rest,
    ...(consumes.length === 0 ? {} : { consumes }),
    ...(own.length === 0 ? {} : { parameters: own }),
    produces: producedBy(responses),
    responses: mapValues(isObject(responses) ? responses : {}, response),
    schemes: ['https'],
  };
}

function bodyParameter(body: JsonObject | undefined): JsonObject[] {
  if (body === undefined) return [];
  const required = body['required'] === true ? { required: true } : {};
  return [{ in: 'body', name: 'body', ...required, schema: firstSchema(body) }];
}

/** The schema of a body or response, which is the same for every media type. */
function firstSchema(holder: JsonObject): Json {
  const [media] = Object.values(objectAt(holder, 'content') ?? {});
  return isObject(media) ? rewritten(media['schema'] ?? {}) : {};
}

function producedBy(responses: Json | undefined): string[] {
  const found = Object.values(isObject(responses) ? responses : {}).flatMap((it) =>
    isObject(it) ? Object.keys(objectAt(it, 'content') ?? {}) : [],
  );
  return [...new Set(found)];
}

function response(value: Json, code: string): Json {
  const described = { description: DESCRIPTIONS[code] ?? '' };
  return isObject(value) && value['content'] !== undefined ? { ...described, schema: firstSchema(value) } : described;
}

/** Converts a schema to v2: without alternatives and defaults, and with bare references. */
function definition(schema: Json): JsonObject {
  const made = rewritten(schema);
  return isObject(made) ? made : {};
}

function rewritten(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const { allOf, oneOf, default: _, ...rest } = schema;
  const [only] = arrayAt({ allOf: allOf ?? [] }, 'allOf');
  const reference = isObject(only) ? only : rest;
  const out: JsonObject = oneOf === undefined ? {} : { type: 'string' };
  for (const [name, value] of Object.entries({ ...rest, ...reference })) out[name] = rewrittenField(name, value);
  return out;
}

function rewrittenField(name: string, value: Json): Json {
  if (name === '$ref') return `#/definitions/${String(value).split('/').at(-1)}`;
  if (name === 'properties' && isObject(value)) return mapValues(value, rewritten);
  return name === 'items' || name === 'additionalProperties' ? rewritten(value) : value;
}

const KINDS = 'x-kubernetes-group-version-kind';

function withKinds(made: JsonObject, known: Json | undefined): JsonObject {
  if (!isObject(known) || made[KINDS] === undefined) return made;
  const kinds = new Map<string, Json>();
  for (const kind of [...arrayAt(known, KINDS), ...arrayAt(made, KINDS)]) kinds.set(keyOf(kind), kind);
  return { ...made, [KINDS]: [...kinds.values()] };
}

function keyOf(kind: Json): string {
  if (!isObject(kind)) return '';
  return ['group', 'version', 'kind'].map((field) => stringAt(kind, field) ?? '').join('/');
}
