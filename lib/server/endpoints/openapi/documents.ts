import { createHash } from 'node:crypto';
import { servedGroupVersions } from '#lib/api/kinds.ts';
import { described } from '#lib/api/openapi/describe.ts';
import { schemasOf } from '#lib/api/openapi/schemas.ts';
import { openApiV3, openApiV3Root } from '#lib/api/openapi/v3.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { Recent } from '#lib/machinery/recent.ts';
import type { GroupVersion } from '#lib/machinery/schema.ts';
import type { Turn } from '#lib/machinery/steps.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import type { CustomVersion } from '#lib/server/registry/resources.ts';
import { customPaths, REFERENCED } from './custom-paths.ts';

/** An OpenAPI document. Its text is built on first use, and its hash changes with the content. */
export interface PublishedDocument {
  /** The path below `/openapi/v3/`: `api/v1`, `apis/apps/v1`. */
  readonly path: string;
  readonly hash: string;
  readonly text: (turn: Turn) => Promise<string>;
}

const sha = (text: string): string => createHash('sha512').update(text).digest('hex').toUpperCase();

/** The maximum number of cached characters of custom documents. */
const KEPT = 16 * 1024 * 1024;

const pathOf = ({ group, version }: GroupVersion): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`;

/** Returns the documents of built-in kinds, which change only with the program. */
export function builtInDocuments(revision: string): readonly PublishedDocument[] {
  return builtInSources().map(({ path, make }) => {
    let text: string | undefined;
    return { path, hash: sha(`${path}@${revision}`), text: async () => (text ??= encodeJson(make())) };
  });
}

interface Source {
  readonly path: string;
  readonly make: () => JsonObject;
}

/** Returns every v3 document of built-in kinds, rebuilt on each use. */
export function builtInSources(): Source[] {
  const versions = servedGroupVersions();
  const groups = [...new Set(versions.map(({ group }) => group))].filter((group) => group !== '');
  const roots = ['api', 'apis', 'version', ...groups.map((group) => `apis/${group}`)];
  return [
    ...roots.map((path) => ({ path, make: () => described(openApiV3Root(path) ?? {}) })),
    ...versions.map((gv) => ({ path: pathOf(gv), make: () => described(openApiV3(gv)) })),
  ];
}

/** Returns the documents of custom group-versions. Caches the most recently used texts. */
export function customDocuments(): (versions: readonly CustomVersion[]) => readonly PublishedDocument[] {
  const known = new WeakMap<CustomVersion, PublishedDocument>();
  const texts = new Recent<string, Text>(KEPT);
  return (versions) =>
    versions.map((version) => {
      const document = known.get(version) ?? customDocument(version, texts);
      known.set(version, document);
      return document;
    });
}

/** Returns the hash of the inputs of a document. Changes to a definition that do not affect the document do not change the hash. */
export const revisionOf = ({ definitions }: CustomVersion): string =>
  definitions.map(({ scheme }) => scheme.viewName).join(',');

/** A text that is built on first use. */
interface Text {
  made?: string;
}

function customDocument(version: CustomVersion, texts: Recent<string, Text>): PublishedDocument {
  const path = pathOf(version);
  const hash = sha(`${path}@${revisionOf(version)}`);
  const weight = version.definitions.length * 20_000;
  const text = async (turn: Turn): Promise<string> => {
    const kept = texts.get(hash, weight, () => ({}));
    if (kept.made !== undefined) return kept.made;
    const made = await customOpenApi(version, turn);
    await turn?.();
    return (kept.made = encodeJson(made));
  };
  return { path, hash, text };
}

async function customOpenApi(version: CustomVersion, turn: Turn): Promise<JsonObject> {
  const shared = schemasOf(REFERENCED, version);
  const info = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' };
  const schemas: JsonObject[] = [];
  for (const { publish } of version.definitions) schemas.push((await publish?.('v3', turn)) ?? {});
  const own: JsonObject = Object.assign({}, ...schemas);
  const paths: JsonObject = Object.assign({}, ...version.definitions.map(customPaths));
  return described({ openapi: '3.0.0', info, paths, components: { schemas: { ...shared, ...own } } });
}

/** Returns the part of the OpenAPI v2 document for a custom resource. Only its schemas are already in v2 form. */
export const forSwagger = async (definition: ResourceDefinition, turn: Turn): Promise<JsonObject> =>
  described({
    paths: customPaths(definition),
    components: { schemas: (await definition.publish?.('v2', turn)) ?? {} },
  });
