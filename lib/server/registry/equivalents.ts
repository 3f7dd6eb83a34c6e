import { isBuiltInGroup } from '#lib/api/kinds.ts';
import type { GroupVersionKind, GroupVersionResource } from '#lib/machinery/schema.ts';
import type { BuiltInResources } from './built-in.ts';
import type { ResourceDefinition } from './resource.ts';
import type { CustomResources, CustomVersion } from './resources.ts';

/** Finds the other versions and groups that serve the same objects as a resource: upstream's EquivalentResourceMapper. */
export function equivalentResources(
  builtIn: BuiltInResources,
  custom: CustomResources,
): (resource: GroupVersionResource) => readonly ResourceDefinition[] | Promise<readonly ResourceDefinition[]> {
  const known = new Map<string, readonly ResourceDefinition[]>();
  const customOthers = async (resource: GroupVersionResource): Promise<readonly ResourceDefinition[]> => {
    const all = (await custom.versions({ recent: true })).flatMap(({ definitions }) => definitions);
    const found = await Promise.all(others(all, resource).map((one) => custom.find(one.resource)));
    return found.filter((one) => one !== undefined);
  };
  return (resource) => {
    if (!isBuiltInGroup(resource.group)) return customOthers(resource);
    const key = `${resource.group}/${resource.version}/${resource.resource}`;
    const found = known.get(key) ?? others(builtIn.all(), resource);
    known.set(key, found);
    return found;
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

/** Finds the stored resource of a served kind: upstream's RESTMapping. */
export function resourceOfKind(
  builtIn: BuiltInResources,
  custom: CustomResources,
): (kind: GroupVersionKind) => Promise<ResourceDefinition | undefined> {
  let own: ByKind | undefined;
  const known = new WeakMap<readonly CustomVersion[], ByKind>();
  const customKinds = (versions: readonly CustomVersion[]): ByKind => {
    const made = known.get(versions) ?? byKind(versions.flatMap(({ definitions }) => definitions));
    known.set(versions, made);
    return made;
  };
  return async (kind) => {
    if (isBuiltInGroup(kind.group)) return (own ??= byKind(builtIn.all())).get(keyOf(kind));
    const listed = async (recent: boolean) => customKinds(await custom.versions({ recent })).get(keyOf(kind));
    const found = (await listed(true)) ?? (await listed(false));
    return found && custom.find(found.resource);
  };
}

type ByKind = ReadonlyMap<string, ResourceDefinition>;

const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;
const byKind = (all: readonly ResourceDefinition[]): ByKind =>
  new Map(all.map((definition) => [keyOf(definition.scheme.kind), definition]));
