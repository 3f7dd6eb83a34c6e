import { encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { CustomResources } from '#lib/server/registry/resources.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import type { Aggregation, RemoteDocument } from '../aggregation.ts';
import type { ApiResponse } from '../api.ts';
import type { Route } from '../non-resource.ts';
import { GIT_VERSION } from '../version.ts';
import type { PublishedDocument } from './documents.ts';
import { accepted, isKnown, NOT_ACCEPTABLE, publishedResponse } from './published-response.ts';
import type { Swagger, SwaggerContents } from './swagger.ts';

/** Serves /openapi/v2 and /openapi/v3. Documents are built on request from cached parts. */
export function openApiRoutes(custom: CustomResources, aggregation?: Aggregation): readonly Route[] {
  let loaded: ReturnType<typeof load> | undefined;
  const parts = () => (loaded ??= load());
  const all = async () => {
    const { builtIn, customs } = await parts();
    return [...builtIn, ...customs(await custom.versions())];
  };
  const remote = async () => (await aggregation?.documents()) ?? [];
  const v2 = async ({ request }: RequestContext) => {
    const contents = { custom: await custom.versions(), remote: (await aggregation?.specs()) ?? [] };
    return swaggerResponse(request, (await parts()).swagger, contents);
  };
  return [
    { path: '/openapi/v3', method: 'any', handle: async () => json(index(await all(), await remote())) },
    {
      path: '/openapi/v3',
      prefix: true,
      method: 'any',
      handle: async (context) => {
        const { request } = context;
        const path = request.path.slice('/openapi/v3/'.length);
        const elsewhere = (await remote()).find((one) => one.path === path);
        if (elsewhere !== undefined) return elsewhere.handle(context);
        const found = (await all()).find((one) => one.path === path);
        return found === undefined ? { status: 404, headers: {}, body: '' } : publishedResponse(request, found);
      },
    },
    { path: '/openapi/v2', method: 'any', handle: v2 },
  ];
}

/** Loads the builders of documents, with all their texts, on the first request. This keeps them out of the startup time. */
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

const GNOSTIC = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const GNOSTIC_NAMES: ReadonlySet<string> = new Set([
  GNOSTIC,
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'application/com.github.googleapis.gnostic.openapiv2@68f4ded+protobuf',
]);

async function swaggerResponse(request: ApiRequest, swagger: Swagger, contents: SwaggerContents): Promise<ApiResponse> {
  const mediaType = accepted(request, (type) => GNOSTIC_NAMES.has(type) || type === 'application/json');
  if (mediaType === undefined) return NOT_ACCEPTABLE();
  const binary = GNOSTIC_NAMES.has(mediaType);
  const etag = swagger.etag(contents);
  const headers = { 'content-type': binary ? GNOSTIC : 'application/json', etag, vary: 'Accept' };
  if (isKnown(request, etag)) return { status: 304, headers, body: '' };
  const body = binary ? swagger.gnostic(contents, request.turn) : swagger.json(contents, request.turn);
  return { status: 200, headers, body, ends: true };
}

function json(object: JsonObject): ApiResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: encodeJson(object) };
}
