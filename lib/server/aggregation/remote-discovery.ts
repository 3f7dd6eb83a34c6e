import type { JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { DiscoveredVersion } from '#lib/server/endpoints/discovery/resource-list.ts';
import { type AskPorts, ask, type Reply } from './ask.ts';
import { AGGREGATOR } from './discovery-check.ts';
import { readDiscovery, readLegacyDiscovery } from './discovery-document.ts';
import { DISCOVERY_TIMEOUT } from './proxy-handler.ts';
import type { RemoteService } from './remote-services.ts';

/** The refresh interval in ms: upstream's discoveryRefreshInterval. */
const REFRESH = 60_000;

const typed = (version: string): string =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
const ACCEPT = `${typed('v2')},${typed('v2beta1')}`;

/** The versions that other servers list. */
export interface RemoteDiscovery {
  /** Returns the known version of each server, in the same order. Returns the identical array until one of them changes. */
  versions(services: readonly RemoteService[]): Promise<readonly DiscoveredVersion[]>;
}

/** The state of one APIService. */
interface Known {
  /** Changes with the APIService. */
  remote: RemoteService;
  version: DiscoveredVersion;
  /** The monotonic time of the latest request. */
  at: number;
  asking: Promise<void> | undefined;
  /** Whether the first request of this state is still pending. All callers wait for it. */
  isFirst: boolean;
}

/** The document of one server, which may list several versions. */
interface Document {
  readonly etag: string;
  readonly versions: ReadonlyMap<string, readonly JsonObject[]>;
}

/**
 * Requests discovery from all servers concurrently when a client requests it, again after a minute, and when the APIService has changed.
 * Waits only for a server that has never responded, once per state of its APIService. All other versions come from the cache, as `Stale` if
 * the latest request failed. Upstream's discoveryManager. Without `ports`, no server is contacted.
 */
export function remoteDiscovery(ports: AskPorts | undefined): RemoteDiscovery {
  const known = new Map<string, Known>();
  const documents = new Map<string, Document>();
  const refresh = (entry: Known, { clock, backends }: AskPorts): Promise<void> => {
    const { remote } = entry;
    entry.at = clock.monotonic();
    return fetched({ clock, backends }, remote, documents)
      .then(
        (of): DiscoveredVersion => ({ ...named(remote), ...of, freshness: 'Current' }),
        (): DiscoveredVersion => ({ ...entry.version, freshness: 'Stale' }),
      )
      .then((version) => {
        entry.asking = undefined;
        entry.isFirst = false;
        if (entry.remote !== remote) entry.at = Number.NEGATIVE_INFINITY; // it has changed meanwhile
        if (!isSame(version, entry.version)) entry.version = version;
      });
  };
  const versionOf = async (remote: RemoteService): Promise<DiscoveredVersion> => {
    const before = known.get(remote.name);
    const entry = before ?? { remote, version: unknown(remote), at: 0, asking: undefined, isFirst: false };
    if (ports === undefined || !remote.isAvailable) {
      if (entry.version.freshness !== 'Stale') entry.version = { ...entry.version, freshness: 'Stale' };
      entry.remote = remote;
      known.set(remote.name, entry);
      return entry.version;
    }
    const isChanged = before === undefined || entry.remote !== remote;
    const isDue = isChanged || ports.clock.monotonic() - entry.at >= REFRESH;
    if (isChanged && isEmpty(entry.version)) entry.isFirst = true;
    entry.remote = remote;
    known.set(remote.name, entry);
    if (isDue && entry.asking === undefined) entry.asking = refresh(entry, ports);
    if (entry.isFirst) await entry.asking;
    return entry.version;
  };
  return {
    async versions(services) {
      const names = new Set(services.map(({ name }) => name));
      for (const name of known.keys()) if (!names.has(name)) known.delete(name);
      const keys = new Set(services.map(keyOf));
      for (const key of documents.keys()) if (!keys.has(key)) documents.delete(key);
      return Promise.all(services.map(versionOf));
    },
  };
}

const named = ({ group, version }: RemoteService) => ({ group, version, resources: [] });
const unknown = (remote: RemoteService): DiscoveredVersion => ({ ...named(remote), freshness: 'Stale' });

const isEmpty = ({ resources, discovery = [] }: DiscoveredVersion): boolean =>
  resources.length === 0 && discovery.length === 0;

const isSame = (a: DiscoveredVersion, b: DiscoveredVersion): boolean => JSON.stringify(a) === JSON.stringify(b);

const keyOf = ({ service: { namespace, name, port } }: RemoteService): string => `${namespace}/${name}:${port}`;

type Fetched = Pick<DiscoveredVersion, 'resources' | 'discovery'>;

/** Fetches the resources of the group version. If the server does not support aggregated discovery, requests the version's own list. */
async function fetched(ports: AskPorts, remote: RemoteService, documents: Map<string, Document>): Promise<Fetched> {
  const key = keyOf(remote);
  const kept = documents.get(key);
  const question = { path: '/apis', user: AGGREGATOR, accept: ACCEPT, timeout: DISCOVERY_TIMEOUT };
  const reply = await ask(ports, remote, { ...question, etag: kept?.etag ?? '' });
  if (reply.status === 304 && kept !== undefined) return of(kept, remote);
  if (reply.status === 503) throw new Error(`service ${key} returned non-success response code: 503`);
  if (reply.status !== 200 || !isAggregated(reply)) return legacy(ports, remote);
  const document = { etag: reply.etag, versions: readDiscovery(reply.body) };
  documents.set(key, document);
  return of(document, remote);
}

const of = ({ versions }: Document, remote: RemoteService): Fetched => ({
  resources: [],
  discovery: versions.get(apiVersion(remote)) ?? [],
});

const isAggregated = ({ contentType }: Reply): boolean =>
  contentType.includes('g=apidiscovery.k8s.io') && contentType.includes('as=APIGroupDiscoveryList');

async function legacy(ports: AskPorts, remote: RemoteService): Promise<Fetched> {
  const path = `/apis/${apiVersion(remote)}`;
  const user = { name: AGGREGATOR.name, groups: [] };
  const question = { path, user, accept: 'application/json', timeout: DISCOVERY_TIMEOUT };
  const { status, body } = await ask(ports, remote, question);
  if (status !== 200) throw new Error(`failed to download legacy discovery for ${path}: ${status}`);
  return { resources: readLegacyDiscovery(body) };
}
