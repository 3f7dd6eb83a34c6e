import { encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { CustomResources, CustomVersion } from '#lib/registry/resources.ts';
import type { ApiRequest, ApiResponse } from '../api.ts';
import { parseAccept } from '../negotiate.ts';
import type { Route } from '../non-resource.ts';
import { GIT_VERSION } from '../version.ts';
import type { PublishedDocument } from './documents.ts';
import type { Swagger } from './swagger.ts';

/** /openapi/v2 and /openapi/v3: made when asked for, by parts that keep what has not changed. */
export function openApiRoutes(custom: CustomResources): readonly Route[] {
  let loaded: ReturnType<typeof load> | undefined;
  const parts = () => (loaded ??= load());
  const all = async () => {
    const { builtIn, customs } = await parts();
    return [...builtIn, ...customs(await custom.versions())];
  };
  const v2 = async (request: ApiRequest) => swaggerResponse(request, (await parts()).swagger, await custom.versions());
  return [
    { path: '/openapi/v3', handle: async (request) => json(request, index(await all())) },
    { path: '/openapi/v3', prefix: true, handle: async (request) => document(request, await all()) },
    { path: '/openapi/v2', handle: v2 },
  ];
}

/** What makes documents is loaded, with all their texts, by the first request for one: a start does without. */
async function load() {
  const [{ builtInDocuments, customDocuments }, { Swagger: Documents }] = await Promise.all([
    import('./documents.ts'),
    import('./swagger.ts'),
  ]);
  return { builtIn: builtInDocuments(GIT_VERSION), customs: customDocuments(), swagger: new Documents() };
}

function index(documents: readonly PublishedDocument[]): JsonObject {
  const paths = documents.map(
    ({ path, hash }) => [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }] as const,
  );
  return { paths: Object.fromEntries(paths) };
}

const NOT_FOUND: ApiResponse = { status: 404, headers: {}, body: '' };

/** A document by its path. A hash in the query that is the current one makes it cacheable for ever. */
async function document(request: ApiRequest, documents: readonly PublishedDocument[]): Promise<ApiResponse> {
  const path = request.path.slice('/openapi/v3/'.length);
  const found = documents.find((one) => one.path === path);
  if (found === undefined) return { ...NOT_FOUND, headers: {} };
  const asked = request.query.get('hash');
  if (asked !== null && asked !== found.hash) {
    return { status: 301, headers: { location: `/openapi/v3/${path}?hash=${found.hash}` }, body: '' };
  }
  const headers = {
    'content-type': 'application/json',
    etag: `"${found.hash}"`,
    vary: 'Accept',
    'cache-control': asked === null ? 'no-cache, private' : 'public, immutable',
  };
  if (request.headers['if-none-match'] === headers.etag) return { status: 304, headers, body: '' };
  return { status: 200, headers, body: await found.text() };
}

const GNOSTIC = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const GNOSTIC_NAMES: ReadonlySet<string> = new Set([
  GNOSTIC,
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'application/com.github.googleapis.gnostic.openapiv2@68f4ded+protobuf',
]);

async function swaggerResponse(
  request: ApiRequest,
  swagger: Swagger,
  versions: readonly CustomVersion[],
): Promise<ApiResponse> {
  const accepted = parseAccept(request.headers['accept'] ?? '*/*').map(({ type }) => type);
  const wanted =
    accepted.find((type) => GNOSTIC_NAMES.has(type) || type === 'application/json' || type === '*/*') ?? '';
  const binary = GNOSTIC_NAMES.has(wanted);
  const etag = swagger.etag(versions);
  const headers = { 'content-type': binary ? GNOSTIC : 'application/json', etag, vary: 'Accept' };
  if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: '' };
  return { status: 200, headers, body: binary ? swagger.gnostic(versions) : swagger.json(versions), ends: true };
}

function json(_request: ApiRequest, object: JsonObject): ApiResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: encodeJson(object) };
}
