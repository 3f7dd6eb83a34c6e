import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersion } from '#lib/machinery/schema.ts';
import { capital, groupName, schemaName, shortName } from './names.ts';
import { pathsOf, referencesIn } from './paths.ts';
import { schemasOf } from './schemas.ts';

const CORE: GroupVersion = { group: '', version: 'v1' };
const SECURITY: JsonObject = { BearerToken: { in: 'header', name: 'authorization', type: 'apiKey' } };

/** The OpenAPI v3 document of a served group-version, as published at `/openapi/v3/apis/…`, without descriptions. */
export function openApiV3(groupVersion: GroupVersion): JsonObject {
  return document(pathsOf(groupVersion), groupVersion);
}

/** The documents of paths other than group-versions: `api`, `apis`, `apis/<group>`, `version`. */
export function openApiV3Root(path: string): JsonObject | undefined {
  if (path === 'api') return rootDocument(path, 'getCoreAPIVersions', 'core', 'meta.v1.APIVersions');
  if (path === 'apis') return rootDocument(path, 'getAPIVersions', 'apis', 'meta.v1.APIGroupList');
  if (path === 'version') return rootDocument(path, 'getCodeVersion', 'version', 'version.Info', VERSION_TYPES);
  const group = /^apis\/([^/]+)$/.exec(path)?.[1];
  if (group === undefined) return undefined;
  const name = groupName(group);
  return rootDocument(path, `get${capital(name)}APIGroup`, name, 'meta.v1.APIGroup');
}

const ROOT_TYPES = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml'];
const VERSION_TYPES = ['application/json'];

function rootDocument(
  path: string,
  operationId: string,
  tag: string,
  type: string,
  mediaTypes = ROOT_TYPES,
): JsonObject {
  const schema = { $ref: `#/components/schemas/${schemaName(type)}` };
  const content = Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));
  const get = { operationId, responses: { '200': { content }, '401': {} }, tags: [tag] };
  return document({ [`/${path}/`]: { get } }, CORE);
}

function document(paths: JsonObject, groupVersion: GroupVersion): JsonObject {
  const roots = [...referencesIn(paths)].flatMap((name) => shortName(name) ?? []);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths,
    components: { schemas: schemasOf(roots, groupVersion), securitySchemes: SECURITY },
  };
}
