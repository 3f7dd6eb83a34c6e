import { createHash } from 'node:crypto';
import { encodeGnostic } from '#lib/api/openapi/gnostic.ts';
import { openApiV2 } from '#lib/api/openapi/v2.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceDefinition } from '#lib/registry/resource.ts';
import type { CustomResources } from '#lib/registry/resources.ts';
import type { ApiRequest, ApiResponse } from '../api.ts';
import { parseAccept } from '../negotiate.ts';
import type { Route } from '../non-resource.ts';
import { GIT_VERSION } from '../version.ts';
import { builtInDocuments, customDocument, forSwagger, type PublishedDocument } from './documents.ts';

/** /openapi/v2 and /openapi/v3: made when asked for, by parts that keep what has not changed. */
export function openApiRoutes(custom: CustomResources): readonly Route[] {
  const builtIn = builtInDocuments(GIT_VERSION);
  const customs = customDocuments(custom);
  const all = async (): Promise<readonly PublishedDocument[]> => [
    ...builtIn,
    ...(await customs()).map(({ published }) => published),
  ];
  const swagger = swaggerOf(builtIn, customs);
  return [
    { path: '/openapi/v3', handle: async (request) => json(request, index(await all())) },
    { path: '/openapi/v3', prefix: true, handle: async (request) => document(request, await all()) },
    { path: '/openapi/v2', handle: async (request) => swaggerResponse(request, await swagger()) },
  ];
}

interface CustomDocument {
  readonly definitions: readonly ResourceDefinition[];
  readonly published: PublishedDocument;
}

/** Documents of custom group-versions, each kept until one of its definitions changes. */
function customDocuments(custom: CustomResources): () => Promise<readonly CustomDocument[]> {
  let known = new Map<string, CustomDocument>();
  return async () => {
    const groups = Map.groupBy(await custom.all(), ({ resource }) => `${resource.group}/${resource.version}`);
    const next = [...groups].map(([name, definitions]): readonly [string, CustomDocument] => {
      const before = known.get(name);
      const same =
        before?.definitions.length === definitions.length && definitions.every((d, i) => d === before.definitions[i]);
      return [name, same ? before : { definitions, published: customDocument(definitions) }];
    });
    known = new Map(next);
    return [...known.values()];
  };
}

function index(documents: readonly PublishedDocument[]): JsonObject {
  const paths = documents.map(
    ({ path, hash }) => [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }] as const,
  );
  return { paths: Object.fromEntries(paths) };
}

const NOT_FOUND: ApiResponse = { status: 404, headers: {}, body: '' };

/** A document by its path. A hash in the query that is the current one makes it cacheable for ever. */
function document(request: ApiRequest, documents: readonly PublishedDocument[]): ApiResponse {
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
  return { status: 200, headers, body: found.text() };
}

interface Swagger {
  readonly etag: string;
  readonly json: () => string;
  readonly gnostic: () => Uint8Array;
}

/** The one OpenAPI v2 document, kept until a definition changes. */
function swaggerOf(
  builtIn: readonly PublishedDocument[],
  customs: () => Promise<readonly CustomDocument[]>,
): () => Promise<Swagger> {
  let known: Swagger | undefined;
  return async () => {
    const documents = await customs();
    const etag = `"${createHash('sha512')
      .update([GIT_VERSION, ...documents.map(({ published }) => published.hash)].join())
      .digest('hex')
      .toUpperCase()}"`;
    if (known?.etag === etag) return known;
    const whole = once(() =>
      openApiV2(
        [
          ...builtIn.map((one) => one.document()),
          ...documents.map(({ published, definitions }) => forSwagger(published.document(), definitions)),
        ],
        GIT_VERSION,
      ),
    );
    known = { etag, json: once(() => encodeJson(whole())), gnostic: once(() => encodeGnostic(whole())) };
    return known;
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const GNOSTIC = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const GNOSTIC_NAMES: ReadonlySet<string> = new Set([
  GNOSTIC,
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'application/com.github.googleapis.gnostic.openapiv2@68f4ded+protobuf',
]);

function swaggerResponse(request: ApiRequest, { etag, json: text, gnostic }: Swagger): ApiResponse {
  const accepted = parseAccept(request.headers['accept'] ?? '*/*').map(({ type }) => type);
  const protobuf =
    accepted.find((type) => GNOSTIC_NAMES.has(type) || type === 'application/json' || type === '*/*') ?? '';
  const binary = GNOSTIC_NAMES.has(protobuf);
  const headers = { 'content-type': binary ? GNOSTIC : 'application/json', etag, vary: 'Accept' };
  if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: '' };
  return { status: 200, headers, body: binary ? gnostic() : text() };
}

function json(_request: ApiRequest, object: JsonObject): ApiResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: encodeJson(object) };
}
