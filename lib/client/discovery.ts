import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { Client } from './client.ts';

/** A served resource, without its subresources. */
export interface ServedResource {
  readonly resource: GroupVersionResource;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: ReadonlySet<string>;
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Every served resource in every served version, with each group's preferred version first. Throws the server's errors. */
export async function discover(client: Client): Promise<readonly ServedResource[]> {
  const [core, named] = await Promise.all([client.document('/api', AGGREGATED), client.document('/apis', AGGREGATED)]);
  return [core, named].flatMap((list) => arrayAt(list, 'items').filter(isObject).flatMap(ofGroup));
}

/** Each resource once, in its group's preferred version: upstream's ServerPreferredResources. */
export function preferred(all: readonly ServedResource[]): readonly ServedResource[] {
  const seen = new Set<string>();
  return all.filter(({ resource: { group, resource } }) => {
    const name = `${group}/${resource}`;
    return !seen.has(name) && seen.add(name);
  });
}

function ofGroup(item: JsonObject): ServedResource[] {
  const group = stringAt(objectAt(item, 'metadata'), 'name') ?? '';
  return arrayAt(item, 'versions')
    .filter(isObject)
    .flatMap((version) =>
      arrayAt(version, 'resources')
        .filter(isObject)
        .map((resource) => served(resource, { group, version: stringAt(version, 'version') ?? '' })),
    );
}

function served(entry: JsonObject, gv: { group: string; version: string }): ServedResource {
  return {
    resource: { ...gv, resource: stringAt(entry, 'resource') ?? '' },
    kind: stringAt(objectAt(entry, 'responseKind'), 'kind') ?? '',
    namespaced: stringAt(entry, 'scope') === 'Namespaced',
    verbs: new Set(arrayAt(entry, 'verbs').filter((verb) => typeof verb === 'string')),
  };
}
