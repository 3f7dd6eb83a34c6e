import { defined } from '#lib/machinery/defined.ts';
import type { GroupVersion } from '#lib/machinery/schema.ts';
import type { Aggregation } from '#lib/server/endpoints/aggregation.ts';
import type { DiscoveredVersion } from '#lib/server/endpoints/discovery/resource-list.ts';
import type { StorageOf } from '#lib/storage/storage.ts';
import { boundedWatch } from './bounded-watch.ts';
import type { FunctionApi, FunctionApis } from './function-apis.ts';
import { functionDocument, functionSpec } from './function-documents.ts';
import { mergeVersions } from './merge.ts';
import { remoteDocuments } from './open-api.ts';
import { inMergeOrder, remoteSpecs } from './open-api-v2.ts';
import { type ProxyPorts, proxyHandler } from './proxy-handler.ts';
import { remoteDiscovery } from './remote-discovery.ts';
import { mayBeRemote, type RemoteService, remoteServices } from './remote-services.ts';

/** The ports of the aggregation layer. */
export interface AggregationOptions extends ProxyPorts {
  readonly storageOf: StorageOf;
  readonly cluster: string;
  /** Group versions that functions serve. Default none. */
  readonly functions?: FunctionApis;
  /** The maximum duration in seconds of a watch of another server. Default: no limit beyond the server's and the client's. */
  readonly maxWatchSeconds?: number;
}

/**
 * Serves the group versions whose APIServices name a Service: upstream's kube-aggregator. Without such an APIService, a request costs only
 * a read in memory.
 */
export function aggregation(options: AggregationOptions): Aggregation {
  const { storageOf, cluster, clock, backends, functions, maxWatchSeconds } = options;
  const services = remoteServices({ storageOf, cluster });
  const handlerOf = (remote: RemoteService) => proxyHandler({ clock, ...defined({ backends }) }, remote);
  const asks = backends && { clock, backends };
  const discovery = remoteDiscovery(asks);
  const specs = remoteSpecs(asks);
  const documents = remoteDocuments({ asks, specs: remoteSpecs(asks), handlerOf });
  const merged = { full: memoized(), bare: memoized() };
  const bare = new WeakMap<RemoteService, DiscoveredVersion>();
  const bareVersion = (remote: RemoteService): DiscoveredVersion => {
    const { group, version } = remote;
    const made = bare.get(remote) ?? { group, version, resources: [] };
    bare.set(remote, made);
    return made;
  };
  /** Returns the group versions of functions, without built-in ones and without those of servers behind Services. */
  const inFunctions = async (all: readonly RemoteService[]): Promise<readonly FunctionApi[]> =>
    ((await functions?.all()) ?? []).filter(
      ({ version }) => mayBeRemote(version) && !all.some((remote) => isVersion(remote, version)),
    );
  return {
    async find(groupVersion) {
      const remote = await services.find(groupVersion);
      const inFunction = remote === undefined && mayBeRemote(groupVersion);
      const handle = inFunction ? (await functions?.find(groupVersion))?.handle : remote && handlerOf(remote);
      return handle === undefined || maxWatchSeconds === undefined ? handle : boundedWatch(handle, maxWatchSeconds);
    },
    async discovered(own, { withResources }) {
      const all = await services.all();
      const ofFunctions = await inFunctions(all);
      if (all.length === 0 && ofFunctions.length === 0) return own;
      const versions = withResources ? await discovery.versions(all) : all.map(bareVersion);
      const remote = all.map((priorities, i) => ({ priorities, version: versions[i] as DiscoveredVersion }));
      return merged[withResources ? 'full' : 'bare'](own, [...remote, ...ofFunctions]);
    },
    async documents() {
      const all = await services.all();
      return [...(await documents(all)), ...(await inFunctions(all)).map(functionDocument)];
    },
    async specs() {
      const all = await services.all();
      const remote = (await specs(inMergeOrder(all))).filter((one) => one !== undefined);
      return [...remote, ...(await inFunctions(all)).map(functionSpec)];
    },
  };
}

const isVersion = (a: GroupVersion, b: GroupVersion): boolean => a.group === b.group && a.version === b.version;

/** Caches the merge until an input changes. */
function memoized(): typeof mergeVersions {
  let last: { readonly inputs: readonly unknown[]; readonly merged: readonly DiscoveredVersion[] } | undefined;
  return (own, remote) => {
    const inputs = [own, ...remote.flatMap(({ version, priorities }) => [version, priorities])];
    const isSame = last?.inputs.length === inputs.length && last.inputs.every((one, i) => one === inputs[i]);
    if (!isSame || last === undefined) last = { inputs, merged: mergeVersions(own, remote) };
    return last.merged;
  };
}
