import { described } from '#lib/api/openapi/describe.ts';
import { schemasOf } from '#lib/api/openapi/schemas.ts';
import { modelName } from '#lib/api/schema/openapi.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { customPaths, REFERENCED } from '#lib/server/endpoints/openapi/custom-paths.ts';
import type { AggregatedApiDeclaration, ResourceDeclaration } from './declaration.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const reference = (name: string): JsonObject => ({ allOf: [{ $ref: `#/components/schemas/${name}` }] });
const TEXT = { type: 'string' };

/** The verb that each action requires. */
const VERB_OF: Readonly<Record<string, string>> = { post: 'create', put: 'update' };

/** The OpenAPI v3 document of an aggregated API. */
export function openApiOf(api: AggregatedApiDeclaration): JsonObject {
  const paths: JsonObject = Object.assign({}, ...api.resources.map((one) => pathsOf(api, one)));
  const own: JsonObject = Object.assign({}, ...api.resources.map((one) => schemasOfKind(api, one)));
  const info = { title: api.name, version: api.version };
  const schemas = { ...schemasOf(REFERENCED, api), ...own };
  return described({ openapi: '3.0.0', info, paths, components: { schemas } });
}

function pathsOf({ group, version }: AggregatedApiDeclaration, resource: ResourceDeclaration): JsonObject {
  const { name, kind, namespaced, verbs } = resource;
  const all = customPaths({
    resource: { group, version, resource: name },
    namespaced,
    listKind: `${kind}List`,
    hasStatus: false,
    scheme: { kind: { group, version, kind } },
  });
  return Object.fromEntries(
    Object.entries(all).map(([path, item]) => [path, served(isObject(item) ? item : {}, verbs)] as const),
  );
}

/** A path with only the operations that the author implements. */
const served = (item: JsonObject, verbs: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(item).filter(([, operation]) => {
      const action = actionOf(operation);
      return action === undefined || verbs.includes(VERB_OF[action] ?? action);
    }),
  );

function actionOf(operation: Json): string | undefined {
  const { 'x-kubernetes-action': action } = isObject(operation) ? operation : {};
  return typeof action === 'string' ? action : undefined;
}

function schemasOfKind({ group, version }: AggregatedApiDeclaration, resource: ResourceDeclaration): JsonObject {
  const { kind, schema } = resource;
  const list = { group, version, kind: `${kind}List` };
  const named = (properties: JsonObject): JsonObject => ({ apiVersion: TEXT, kind: TEXT, ...properties });
  const { properties } = schema;
  return {
    [modelName({ group, version, kind })]: {
      type: 'object',
      ...schema,
      properties: named({ ...(isObject(properties) ? properties : {}), metadata: reference(`${META}.ObjectMeta`) }),
      'x-kubernetes-group-version-kind': [{ group, kind, version }],
    },
    [modelName(list)]: {
      type: 'object',
      required: ['items'],
      properties: named({
        items: { type: 'array', items: reference(modelName({ group, version, kind })) },
        metadata: reference(`${META}.ListMeta`),
      }),
      'x-kubernetes-group-version-kind': [{ group, kind: list.kind, version }],
    },
  };
}
