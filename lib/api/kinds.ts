import {
  apiVersion,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  parseApiVersion,
} from '#lib/machinery/schema.ts';
import table from './generated/resources.json' with { type: 'json' };
import type { GroupVersionRow, ResourceRow, SubresourceRow } from './row.ts';
import { storageVersion } from './storage-version.ts';
import { hasType, kindNames, type TypeFacts, typeFacts } from './types.ts';

/** A subresource of a built-in resource. */
export interface SubresourceFacts {
  readonly name: string;
  /** The kind that its endpoint accepts and returns: `pods/eviction` is `policy/v1 Eviction`. */
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
}

/** A built-in resource in one served version, with its discovery data. */
export interface ResourceFacts extends GroupVersionResource, GroupVersionKind {
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** Whether DELETE returns the object instead of a Status. */
  readonly returnsDeleted: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly SubresourceFacts[];
  /** The kind that is stored. Undefined for objects that are returned but never stored (reviews, bindings). */
  readonly storage: GroupVersionKind | undefined;
}

const rows = table as unknown as readonly GroupVersionRow[];

/** The group-versions in discovery order: the core group first, and a group's preferred version before its others. */
export const servedGroupVersions = (): readonly GroupVersion[] => served;
const served: readonly GroupVersion[] = rows.map(({ g, v }) => ({ group: g, version: v }));

const groups: ReadonlySet<string> = new Set(served.map(({ group }) => group));
/** Whether the group is built in. CRDs cannot serve resources in such a group. */
export const isBuiltInGroup = (group: string): boolean => groups.has(group);

const rowsOf = new Map(rows.map((row) => [apiVersion({ group: row.g, version: row.v }), row]));
const resources = new Map<string, ReadonlyMap<string, ResourceFacts>>();

/** The resources of a served group-version in discovery order. Empty if it is not served. */
export function resourcesOf(groupVersion: GroupVersion): readonly ResourceFacts[] {
  return [...byPlural(groupVersion).values()];
}

/** The facts of a built-in resource. Undefined if that version is not served. */
export function findResource(gvr: GroupVersionResource): ResourceFacts | undefined {
  return byPlural(gvr).get(gvr.resource);
}

function byPlural(groupVersion: GroupVersion): ReadonlyMap<string, ResourceFacts> {
  const key = apiVersion(groupVersion);
  let found = resources.get(key);
  if (found === undefined) {
    found = new Map(rowsOf.get(key)?.r.map((row) => [row.n[0], resourceFacts(groupVersion, row)]) ?? []);
    if (found.size > 0) resources.set(key, found);
  }
  return found;
}

function resourceFacts({ group, version }: GroupVersion, row: ResourceRow): ResourceFacts {
  const [resource, singular, kind] = row.n;
  const verbs = row.v.split(' ');
  const storage = verbs.includes('watch') ? storageVersion({ group, version, kind }) : undefined;
  return {
    group,
    version,
    resource,
    singular,
    kind,
    namespaced: row.ns === 1,
    verbs,
    returnsDeleted: row.d === 1,
    shortNames: row.sn ?? [],
    categories: row.c ?? [],
    subresources: row.s?.map((sub) => subresourceFacts({ group, version }, sub)) ?? [],
    storage,
  };
}

function subresourceFacts(own: GroupVersion, [name, kind, verbs, foreign]: SubresourceRow): SubresourceFacts {
  const { group, version } = (foreign === undefined ? undefined : parseApiVersion(foreign)) ?? own;
  return { name, kind: { group, version, kind }, verbs: verbs.split(' ') };
}

interface KindType {
  readonly gvk: GroupVersionKind;
  readonly type: string;
}

let kinds: ReadonlyMap<string, readonly KindType[]> | undefined;

/**
 * Groups the types by kind name. Few types share a name, so a lookup searches a short list instead of building a combined key of group,
 * version and kind.
 */
function kindsByName(): ReadonlyMap<string, readonly KindType[]> {
  const all = kindNames().map(([gvk, type]) => ({ gvk, type }));
  return Map.groupBy(all, ({ gvk }) => gvk.kind);
}

/** The type of a kind, of its list, or of a kind that every group has (`DeleteOptions`, `WatchEvent`, `Status`). */
export function findKind({ group, version, kind }: GroupVersionKind): TypeFacts | undefined {
  kinds ??= kindsByName();
  const own = kinds.get(kind)?.find(({ gvk }) => gvk.group === group && gvk.version === version);
  const name = own?.type ?? everywhere(kind);
  return name === undefined ? undefined : typeFacts(name);
}

/** The kinds of meta/v1 that are registered in every group-version. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
  'GetOptions',
  'ListOptions',
  'WatchEvent',
  'Status',
  'PartialObjectMetadata',
  'PartialObjectMetadataList',
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'APIVersions',
]);

function everywhere(kind: string): string | undefined {
  const name = `meta.v1.${kind}`;
  return EVERYWHERE.has(kind) && hasType(name) ? name : undefined;
}
