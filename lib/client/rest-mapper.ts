import { apiVersion } from '#lib/machinery/schema.ts';
import type { Client } from './client.ts';
import { discover, type ServedResource } from './discovery.ts';

/** Finds served resources in cached discovery: upstream's deferred discovery REST mapper. */
export interface RestMapper {
  /** The resource of a kind. Undefined if even fresh discovery does not contain it. */
  ofKind(version: string, kind: string): Promise<ServedResource | undefined>;
  /** The preferred version of a resource. */
  ofResource(group: string, resource: string): Promise<ServedResource | undefined>;
  /** Drops the cache, so that the next lookup uses fresh discovery. */
  forget(): void;
}

/** Creates a mapper that reads discovery through a client: upstream's DeferredDiscoveryRESTMapper. */
export function restMapper(client: Client): RestMapper {
  let known: Promise<readonly ServedResource[]> | undefined;
  const find = async (matches: (served: ServedResource) => boolean): Promise<ServedResource | undefined> => {
    const found = known === undefined ? undefined : (await known).find(matches);
    if (found !== undefined) return found;
    const fresh = discover(client);
    known = fresh.catch(() => []);
    return (await fresh).find(matches);
  };
  return {
    ofKind: (version, kind) => find((served) => served.kind === kind && apiVersion(served.resource) === version),
    ofResource: (group, resource) =>
      find((served) => served.resource.group === group && served.resource.resource === resource),
    forget() {
      known = undefined;
    },
  };
}
