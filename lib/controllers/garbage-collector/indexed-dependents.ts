import type { Client } from '#lib/client/client.ts';
import { forEachAtOnce } from '#lib/client/controller/for-each.ts';
import { restMapper } from '#lib/client/rest-mapper.ts';
import { ownerReferencesOf } from '#lib/machinery/meta.ts';
import type { DependentsIndex } from '#lib/storage/dependents.ts';
import { DEFAULT_CLUSTER, parseKey } from '#lib/storage/keys.ts';
import { type Node, nodeOf } from './graph.ts';
import type { FindDependents } from './listed-dependents.ts';

const AT_ONCE = 8;

/** Finds dependents via an index of stored objects, and reads each again. The cost grows with the number of dependents. */
export function indexedDependents(client: Client, index: DependentsIndex): FindDependents {
  const mapper = restMapper(client);
  return async (owner, namespace) => {
    const places = (await index.dependents(DEFAULT_CLUSTER, owner)).map(parseKey);
    const found: Node[] = [];
    await forEachAtOnce(AT_ONCE, places, async (place) => {
      if (namespace !== '' && place.namespace !== namespace) return;
      const served = await mapper.ofResource(place.group, place.resource);
      const object = served && (await client.get({ ...place, resource: served.resource }));
      if (object === undefined || !ownerReferencesOf(object).some(({ uid }) => uid === owner)) return;
      found.push(nodeOf({ ...place, object: () => object }));
    });
    return found;
  };
}
