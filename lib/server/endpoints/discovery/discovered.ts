import { createHash } from 'node:crypto';
import { findResource, type ResourceFacts, resourcesOf, servedGroupVersions } from '#lib/api/kinds.ts';
import type { GroupVersionKind } from '#lib/machinery/schema.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import type { CustomResources, CustomVersion } from '#lib/server/registry/resources.ts';
import type { DiscoveredResource, DiscoveredVersion } from './resource-list.ts';

let builtIn: readonly DiscoveredVersion[] | undefined;

const builtInVersions = (): readonly DiscoveredVersion[] =>
  (builtIn ??= servedGroupVersions().map((gv) => ({ ...gv, resources: resourcesOf(gv).flatMap(builtInEntries) })));

const known = new WeakMap<CustomVersion, DiscoveredVersion>();
const knownAll = new WeakMap<readonly CustomVersion[], readonly DiscoveredVersion[]>();

/**
 * Returns everything that this server currently serves: built-in groups in upstream's order, then custom groups by name. Returns the
 * identical array until something changes.
 */
export async function discoveredVersions(custom: CustomResources): Promise<readonly DiscoveredVersion[]> {
  const versions = await custom.versions();
  return memoized(knownAll, versions, () => [
    ...builtInVersions(),
    ...versions.map((version) => memoized(known, version, () => discovered(version))),
  ]);
}

function memoized<K extends WeakKey, V>(map: WeakMap<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

const discovered = ({ group, version, definitions }: CustomVersion): DiscoveredVersion => ({
  group,
  version,
  resources: definitions.flatMap(customEntries),
});

function builtInEntries(facts: ResourceFacts): DiscoveredResource[] {
  const { resource, singular, namespaced, kind, verbs, shortNames, categories, storage } = facts;
  const main = {
    name: resource,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    shortNames,
    categories,
    ...(storage === undefined ? {} : { storageVersionHash: storageVersionHash(storage) }),
  };
  const subresources = facts.subresources.map((sub): DiscoveredResource => {
    const foreign = sub.kind.group !== facts.group || sub.kind.version !== facts.version;
    const of = foreign ? { group: sub.kind.group, version: sub.kind.version } : {};
    return {
      name: `${resource}/${sub.name}`,
      singularName: '',
      namespaced,
      kind: sub.kind.kind,
      ...of,
      verbs: sub.verbs,
    };
  });
  return findResource(facts) === undefined ? subresources : [main, ...subresources];
}

/** The order of verbs that upstream uses for custom resources. */
const CUSTOM_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const SUBRESOURCE_VERBS = ['get', 'patch', 'update'];

function customEntries(definition: ResourceDefinition): DiscoveredResource[] {
  const { resource, scheme, singular, namespaced, shortNames, categories, storedAs, hasStatus, scale } = definition;
  const { kind } = scheme.kind;
  const main = {
    name: resource.resource,
    singularName: singular,
    namespaced,
    kind,
    verbs: CUSTOM_VERBS,
    shortNames,
    categories,
    storageVersionHash: storageVersionHash({ ...storedAs, kind }),
  };
  const sub = { singularName: '', namespaced, verbs: SUBRESOURCE_VERBS };
  return [
    main,
    ...(hasStatus ? [{ ...sub, name: `${resource.resource}/status`, kind }] : []),
    ...(scale === undefined
      ? []
      : [{ ...sub, name: `${resource.resource}/scale`, group: 'autoscaling', version: 'v1', kind: 'Scale' }]),
  ];
}

/** Upstream's `StorageVersionHash`: the first eight bytes of a SHA-256 of the kind. */
const storageVersionHash = ({ group, version, kind }: GroupVersionKind): string =>
  createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
