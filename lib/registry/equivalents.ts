import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { isBuiltInGroup, type BuiltInResources } from './built-in.ts';
import type { ResourceDefinition } from './resource.ts';
import type { CustomResources } from './resources.ts';

/** Finds the other versions, and groups, under which a resource's objects are served: upstream's EquivalentResourceMapper. */
export function equivalentResources(
  builtIn: BuiltInResources,
  custom: CustomResources,
): (resource: GroupVersionResource) => Promise<readonly ResourceDefinition[]> {
  const known = new Map<string, readonly ResourceDefinition[]>();
  return async (resource) => {
    if (isBuiltInGroup(resource.group)) {
      const key = `${resource.group}/${resource.version}/${resource.resource}`;
      const found = known.get(key) ?? others(builtIn.all(), resource);
      known.set(key, found);
      return found;
    }
    return others(
      (await custom.versions()).flatMap(({ definitions }) => definitions),
      resource,
    );
  };
}

function others(all: readonly ResourceDefinition[], { group, version, resource }: GroupVersionResource) {
  const own = all.find(
    ({ resource: one }) => one.group === group && one.version === version && one.resource === resource,
  );
  if (own === undefined) return [];
  const { storedAs } = own;
  return all.filter(
    (one) => one !== own && one.storedAs.group === storedAs.group && one.storedAs.resource === storedAs.resource,
  );
}
