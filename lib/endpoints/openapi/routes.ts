import { encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { CustomResources, CustomVersion } from '#lib/registry/resources.ts';
import type { Aggregation, RemoteDocument } from '../aggregation.ts';
import type { ApiRequest, ApiResponse } from '../api.ts';
import { parseAccept } from '../negotiate.ts';
import type { Route } from '../non-resource.ts';
import { GIT_VERSION } from '../version.ts';
import type { PublishedDocument } from './documents.ts';
import type { Swagger } from './swagger.ts';

/** /openapi/v2 and /openapi/v3: made when asked for, by parts that keep what has not changed. */
export function openApiRoutes(custom: CustomResources, aggregation?: Aggregation): readonly Route[] {
  let loaded: ReturnType<typeof load> | undefined;
  const parts = () => (loaded ??= load());
  const all = async () => {
    const { builtIn, customs } = await parts();
    return [...builtIn, ...customs(await custom.versions())];
  };
  const remote = async () => (await aggregation?.documents()) ?? [];
  const v2 = async (request: ApiRequest) => swaggerResponse(request, (await parts()).swagger, await custom.versions());
  return [
    { path: '/openapi/v3', method: 'any', handle: async () => json(index(await all(), await remote())) },
    {
      path: '/openapi/v3',
      prefix: true,
      method: 'any',
      handle: async (request, state) => {
        const path = request.path.slice('/openapi/v3/'.length);
        const elsewhere = (await remote()).find((one) => one.path === path);
        return elsewhere === undefined ? document(request, path, await all()) : elsewhere.handle(request, state);
      },
    },
    { path: '/openapi/v2', method: 'any', handle: v2 },
  ];
}

/** Loads the builders of documents, with all their texts, at the first request for one: a start does without them. */
async function load() {
  const [{ builtInDocuments, customDocuments }, { Swagger: Documents }] = await Promise.all([
    import('./documents.ts'),
    import('./swagger.ts'),
  ]);
  return { builtIn: builtInDocuments(GIT_VERSION), customs: customDocuments(), swagger: new Documents() };
}

function index(documents: readonly PublishedDocument[], remote: readonly RemoteDocument[]): JsonObject {
  const own = documents.map(({ path, hash }) => ({ path, serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }));
  const paths = [...own, ...remote].map(({ path, serverRelativeURL }) => [path, { serverRelativeURL }] as const);
  return { paths: Object.fromEntries(paths) };
}

const NOT_ACCEPTABLE = (): ApiResponse => ({ status: 406, headers: { vary: 'Accept' }, body: '' });

/** The media type that the client likes best of those that are made; a document in JSON is also any. */
function accepted({ headers }: ApiRequest, isMade: (type: string) => boolean): string | undefined {
  const types = parseAccept(headers['accept'] || '*/*').map(({ type }) => type);
  return types.find((type) => isMade(type) || type === '*/*' || type === 'application/*');
}

/** Whether the client has the document: as Go's ServeContent compares tags, weakly. */
function isKnown({ headers }: ApiRequest, etag: string): boolean {
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

/** A document by its path. A hash in the query that is the current one makes it cacheable for ever. */
async function document(
  request: ApiRequest,
  path: string,
  documents: readonly PublishedDocument[],
): Promise<ApiResponse> {
  const found = documents.find((one) => one.path === path);
  if (found === undefined) return { status: 404, headers: {}, body: '' };
  const hash = request.query.get('hash');
  if (hash !== null && hash !== found.hash) {
    return { status: 301, headers: { location: `/openapi/v3/${path}?hash=${found.hash}` }, body: '' };
  }
  if (accepted(request, (type) => type === 'application/json') === undefined) return NOT_ACCEPTABLE();
  const etag = `"${found.hash}"`;
  const cached = hash === null ? 'no-cache, private' : 'public, immutable';
  const headers = { 'content-type': 'application/json', etag, vary: 'Accept', 'cache-control': cached };
  if (isKnown(request, etag)) return { status: 304, headers, body: '' };
  return { status: 200, headers, body: await found.text(request.turn) };
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
  const mediaType = accepted(request, (type) => GNOSTIC_NAMES.has(type) || type === 'application/json');
  if (mediaType === undefined) return NOT_ACCEPTABLE();
  const binary = GNOSTIC_NAMES.has(mediaType);
  const etag = swagger.etag(versions);
  const headers = { 'content-type': binary ? GNOSTIC : 'application/json', etag, vary: 'Accept' };
  if (isKnown(request, etag)) return { status: 304, headers, body: '' };
  const body = binary ? swagger.gnostic(versions, request.turn) : swagger.json(versions, request.turn);
  return { status: 200, headers, body, ends: true };
}

function json(object: JsonObject): ApiResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: encodeJson(object) };
}
