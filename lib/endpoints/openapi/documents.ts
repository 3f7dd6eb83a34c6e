import { createHash } from 'node:crypto';
import { servedGroupVersions } from '#lib/api/kinds.ts';
import { described } from '#lib/api/openapi/describe.ts';
import { openApiV3, openApiV3Root } from '#lib/api/openapi/v3.ts';
import { schemasOf } from '#lib/api/openapi/schemas.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersion } from '#lib/machinery/schema.ts';
import type { ResourceDefinition } from '#lib/registry/resource.ts';
import { customPaths, REFERENCED } from './custom-paths.ts';

/** One OpenAPI document: its text is made when it is first asked for, its hash changes with what it says. */
export interface PublishedDocument {
  /** Below `/openapi/v3/`: `api/v1`, `apis/apps/v1`. */
  readonly path: string;
  readonly hash: string;
  readonly document: () => JsonObject;
  readonly text: () => string;
}

const sha = (text: string): string => createHash('sha512').update(text).digest('hex').toUpperCase();

function published(path: string, revision: string, make: () => JsonObject): PublishedDocument {
  let document: JsonObject | undefined;
  let text: string | undefined;
  const get = (): JsonObject => (document ??= described(make()));
  return { path, hash: sha(`${path}@${revision}`), document: get, text: () => (text ??= encodeJson(get())) };
}

const pathOf = ({ group, version }: GroupVersion): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`;

/** Documents of built-in kinds change only with the program. */
export function builtInDocuments(revision: string): readonly PublishedDocument[] {
  const versions = servedGroupVersions();
  const groups = [...new Set(versions.map(({ group }) => group))].filter((group) => group !== '');
  const roots = ['api', 'apis', 'version', ...groups.map((group) => `apis/${group}`)];
  return [
    ...roots.map((path) => published(path, revision, () => openApiV3Root(path) ?? {})),
    ...versions.map((gv) => published(pathOf(gv), revision, () => openApiV3(gv))),
  ];
}

/** The document of one custom group-version. */
export function customDocument(definitions: readonly ResourceDefinition[]): PublishedDocument {
  const { resource } = definitions[0] as ResourceDefinition;
  const revision = definitions.map(({ scheme }) => scheme.viewName).join(',');
  return published(pathOf(resource), revision, () => customOpenApi(resource, definitions));
}

function customOpenApi(groupVersion: GroupVersion, definitions: readonly ResourceDefinition[]): JsonObject {
  const own: JsonObject = {};
  for (const { publish } of definitions) Object.assign(own, publish?.('v3'));
  const shared = schemasOf(REFERENCED, groupVersion);
  const info = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' };
  const paths: JsonObject = Object.assign({}, ...definitions.map(customPaths));
  return { openapi: '3.0.0', info, paths, components: { schemas: { ...shared, ...own } } };
}

/** What of a custom document the OpenAPI v2 one takes: schemas in the older form. */
export function forSwagger(document: JsonObject, definitions: readonly ResourceDefinition[]): JsonObject {
  const components = objectAt(document, 'components') ?? {};
  const older: JsonObject = Object.assign({}, ...definitions.map(({ publish }) => publish?.('v2') ?? {}));
  return { ...document, components: { ...components, schemas: { ...objectAt(components, 'schemas'), ...older } } };
}
