import { createHash } from 'node:crypto';
import { isBuiltInGroup } from '#lib/api/kinds.ts';
import { methodNotAllowed, noSuchPath } from '#lib/machinery/errors.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { ApiResponse } from '../api.ts';
import { MEDIA_TYPES, negotiate, parseAccept, refuseUnknownAccept } from '../negotiate.ts';
import type { Route } from '../non-resource.ts';
import { respond } from '../respond.ts';
import { apiGroupDiscoveryList } from './aggregated.ts';
import { apiGroup, apiGroupList, apiVersions } from './groups.ts';
import { apiResourceList, type DiscoveredVersion } from './resource-list.ts';

/** The versions and resources that discovery serves. */
export interface DiscoverySource {
  /**
   * Returns every version that this server serves itself. The core group comes first, and a group's preferred version precedes its others.
   */
  own(): Promise<readonly DiscoveredVersion[]>;
  /** Returns every served version, including those of other servers. Includes their resources only `withResources`. */
  versions(options: { readonly withResources: boolean }): Promise<readonly DiscoveredVersion[]>;
  /** The `host:port` at which clients reach this server. */
  readonly serverAddress: string;
}

/** Serves /api, /apis and the paths below: legacy discovery, or aggregated discovery if the client requests it. */
export function discoveryRoutes(source: DiscoverySource): readonly Route[] {
  return [
    {
      path: '/api',
      handle: async ({ request }) =>
        root(request, { versions: await source.own(), core: true }, () => apiVersions(source.serverAddress)),
    },
    { path: '/apis', method: 'any', handle: ({ request }) => named(request, source) },
    {
      path: '/api',
      prefix: true,
      method: 'any',
      handle: async ({ request }) => underCore(request, await source.own()),
    },
    {
      path: '/apis',
      prefix: true,
      method: 'any',
      handle: ({ request }) => underGroups(request, source),
    },
  ];
}

const ofCore = (versions: readonly DiscoveredVersion[], core: boolean) =>
  versions.filter(({ group }) => (group === '') === core);

async function named(request: ApiRequest, source: DiscoverySource): Promise<ApiResponse> {
  const withResources = aggregatedVersion(request.headers['accept']) !== undefined;
  const versions = await source.versions({ withResources });
  return root(request, { versions, core: false }, () => apiGroupList(ofCore(versions, false)));
}

interface Root {
  readonly versions: readonly DiscoveredVersion[];
  readonly core: boolean;
}

/** Returns the aggregated document with its ETag, or the legacy one. */
function root(request: ApiRequest, what: Root, legacy: () => JsonObject): ApiResponse {
  const version = aggregatedVersion(request.headers['accept']);
  if (version === undefined) {
    const answer = plain(request, legacy());
    return { ...answer, headers: { 'content-type': answer.headers['content-type'] ?? '', vary: 'Accept' } };
  }
  const { body, etag } = aggregated(what, version);
  const headers = {
    'content-type': `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
    etag,
    vary: 'Accept',
    'cache-control': 'public',
  };
  // Includes the content type: AWS front doors add their own to a response without one, and client caches would adopt it.
  if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: '' };
  return { status: 200, headers, body };
}

interface Aggregated {
  readonly body: string;
  readonly etag: string;
}
const known = new WeakMap<readonly DiscoveredVersion[], Map<string, Aggregated>>();

/** Cached until `versions` is a different array. It is the identical array until something changes. */
function aggregated({ versions, core }: Root, version: string): Aggregated {
  const documents = known.get(versions) ?? new Map<string, Aggregated>();
  known.set(versions, documents);
  const name = `${version} ${core ? 'core' : 'named'}`;
  const made = documents.get(name) ?? makeAggregated(ofCore(versions, core), version);
  documents.set(name, made);
  return made;
}

function makeAggregated(versions: readonly DiscoveredVersion[], version: string): Aggregated {
  const body = encodeJson({ ...apiGroupDiscoveryList(versions), apiVersion: `apidiscovery.k8s.io/${version}` });
  const etag = `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`;
  return { body: `${body}\n`, etag };
}

/** Returns the version of apidiscovery.k8s.io that the client prefers to the legacy form. Undefined if it prefers the legacy form. */
function aggregatedVersion(accept: string | undefined): 'v2' | 'v2beta1' | undefined {
  for (const { type, parameters } of parseAccept(accept ?? '')) {
    if (type !== 'application/json') continue;
    if (parameters.get('as') !== 'APIGroupDiscoveryList' || parameters.get('g') !== 'apidiscovery.k8s.io') {
      if (!parameters.has('as')) return undefined;
      continue;
    }
    const version = parameters.get('v');
    if (version === 'v2' || version === 'v2beta1') return version;
  }
  return undefined;
}

function plain(request: ApiRequest, object: JsonObject): ApiResponse {
  return respond(object, negotiate(request, { mediaTypes: MEDIA_TYPES, transforms: false }));
}

function underCore(request: ApiRequest, versions: readonly DiscoveredVersion[]): ApiResponse | undefined {
  const [version = '', ...rest] = segments(request.path, '/api/');
  if (rest.length > 0) return undefined;
  const found = versions.find((v) => v.group === '' && v.version === version);
  if (found === undefined) throw noSuchPath();
  return resources(request, found);
}

/** Only the resource list of a built-in version is a web service upstream. The other lists are served for any method. */
function resources(request: ApiRequest, version: DiscoveredVersion): ApiResponse {
  if (isBuiltInGroup(version.group)) {
    if (request.method !== 'GET') throw methodNotAllowed();
    refuseUnknownAccept(request, MEDIA_TYPES);
  }
  return plain(request, apiResourceList(version));
}

async function underGroups(request: ApiRequest, source: DiscoverySource): Promise<ApiResponse | undefined> {
  const [group = '', version, ...rest] = segments(request.path, '/apis/');
  if (group === '') return named(request, source);
  const versions = await source.versions({ withResources: false });
  const served = versions.filter((v) => v.group === group);
  if (served.length === 0 || rest.length > 0) return undefined;
  if (version === undefined) return plain(request, apiGroup(group, served, true));
  const found = served.find((v) => v.version === version);
  if (found !== undefined) return resources(request, found);
  if (isBuiltInGroup(group)) throw noSuchPath();
  return undefined;
}

const segments = (path: string, prefix: string): string[] => path.slice(prefix.length).replace(/\/$/, '').split('/');
