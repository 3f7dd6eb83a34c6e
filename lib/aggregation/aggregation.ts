import type { Aggregation } from '#lib/endpoints/aggregation.ts';
import type { DiscoveredVersion } from '#lib/endpoints/discovery/resource-list.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { StorageOf } from '#lib/storage/storage.ts';
import { mergeVersions } from './merge.ts';
import { inMergeOrder, remoteSpecs } from './open-api-v2.ts';
import { remoteDocuments } from './open-api.ts';
import { proxyHandler, type ProxyPorts } from './proxy-handler.ts';
import { remoteDiscovery } from './remote-discovery.ts';
import { remoteServices, type RemoteService } from './remote-services.ts';

/** The ports of the aggregation layer. */
export interface AggregationOptions extends ProxyPorts {
  readonly storageOf: StorageOf;
  readonly cluster: string;
}

/** Serves the group versions whose APIServices name a Service: upstream's kube-aggregator. It costs a read in memory until there is one. */
export function aggregation({ storageOf, cluster, clock, backends }: AggregationOptions): Aggregation {
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
  return {
    async find(groupVersion) {
      const remote = await services.find(groupVersion);
      return remote && handlerOf(remote);
    },
    async discovered(own, { withResources }) {
      const all = await services.all();
      if (all.length === 0) return own;
      const versions = withResources ? await discovery.versions(all) : all.map(bareVersion);
      const remote = all.map((priorities, i) => ({ priorities, version: versions[i] as DiscoveredVersion }));
      return merged[withResources ? 'full' : 'bare'](own, remote);
    },
    documents: async () => documents(await services.all()),
    specs: async () => (await specs(inMergeOrder(await services.all()))).filter((one) => one !== undefined),
  };
}

/** Merges anew only when something has changed. */
function memoized(): typeof mergeVersions {
  let last: { readonly inputs: readonly unknown[]; readonly merged: readonly DiscoveredVersion[] } | undefined;
  return (own, remote) => {
    const inputs = [own, ...remote.flatMap(({ version, priorities }) => [version, priorities])];
    const isSame = last?.inputs.length === inputs.length && last.inputs.every((one, i) => one === inputs[i]);
    if (!isSame || last === undefined) last = { inputs, merged: mergeVersions(own, remote) };
    return last.merged;
  };
}
