import { arrayAt, isObject, objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import { fieldElement } from '#lib/patch/apply/path-element.ts';
import type { ReplicasPaths } from '#lib/patch/apply/scale.ts';
import { apiVersion, type GroupVersionResource } from '#lib/machinery/schema.ts';
import { isBuiltInGroup, type StorageOf } from '#lib/registry/built-in.ts';
import type { ResourceDefinition } from '#lib/registry/resource.ts';
import type { CustomResources } from '#lib/registry/resources.ts';
import { summarize } from '#lib/registry/summarize.ts';
import { modelName, publishKind, publishList } from '#lib/schema/openapi.ts';
import { keyPrefix, objectKey } from '#lib/storage/keys.ts';
import type { ReadAt, StoredObject } from '#lib/storage/storage.ts';
import { conditionTrue } from './conditions.ts';
import { servedVersions, type ServedCustomResource } from './custom-resource/served.ts';

const GROUP = 'apiextensions.k8s.io';
const RESOURCE = 'customresourcedefinitions';
const VERBS: ReadonlySet<string> = new Set([
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]);

export interface CustomResourcesOptions {
  readonly storageOf: StorageOf;
  readonly cluster: string;
}

/**
 * What definitions serve, read from where they are stored: there is nothing to register, to start or to forget. Each
 * definition is parsed once a change and compiled when its first object comes.
 */
export function customResources({ storageOf, cluster }: CustomResourcesOptions): CustomResources {
  const storage = storageOf({ group: GROUP, resource: RESOURCE });
  const parsed = new WeakMap<StoredObject, readonly ResourceDefinition[]>();
  const served = (stored: StoredObject): readonly ResourceDefinition[] => {
    const known = parsed.get(stored);
    if (known !== undefined) return known;
    const made = definitionsOf(stored, storageOf);
    parsed.set(stored, made);
    return made;
  };
  const list = (at: ReadAt) =>
    storage.list({ prefix: keyPrefix({ cluster, group: GROUP, resource: RESOURCE }), at, limit: 0 });
  return {
    async find(gvr) {
      if (isBuiltInGroup(gvr.group)) return undefined;
      const stored = await storage.get(definitionKey(cluster, gvr), FRESH);
      return stored && served(stored).find(({ resource }) => resource.version === gvr.version);
    },
    async all() {
      const { objects } = await list(FRESH);
      return objects.flatMap(served).sort(byGroup);
    },
  };
}

const FRESH: ReadAt = { kind: 'fresh' };

function definitionKey(cluster: string, { group, resource }: GroupVersionResource): string {
  return objectKey({ cluster, group: GROUP, resource: RESOURCE, namespace: '', name: `${resource}.${group}` });
}

/** Groups by name; in each, versions by upstream's priority, resources of one version together. */
function byGroup(a: ResourceDefinition, b: ResourceDefinition): number {
  if (a.resource.group !== b.resource.group) return a.resource.group < b.resource.group ? -1 : 1;
  if (a.resource.version !== b.resource.version) return compareVersions(a.resource.version, b.resource.version);
  return a.resource.resource < b.resource.resource ? -1 : 1;
}

/** Upstream's CompareKubeAwareVersionStrings, best first: GA before beta before alpha, then the higher number, then others by name. */
export function compareVersions(a: string, b: string): number {
  const left = rank(a);
  const right = rank(b);
  if (left === undefined || right === undefined)
    return left !== undefined ? -1 : right !== undefined ? 1 : a < b ? -1 : 1;
  for (const [i, value] of left.entries()) if (value !== right[i]) return (right[i] as number) - value;
  return 0;
}

function rank(version: string): readonly [number, number, number] | undefined {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version);
  if (match === null) return undefined;
  const [, major, stage, minor] = match;
  return [stage === undefined ? 2 : stage === 'beta' ? 1 : 0, Number(major), Number(minor ?? 0)];
}

function definitionsOf(stored: StoredObject, storageOf: StorageOf): readonly ResourceDefinition[] {
  const crd = crdOf(stored);
  if (isBuiltInGroup(groupOf(crd)) || !conditionTrue(crd, 'Established')) return [];
  const terminating = isDeleting(crd);
  return servedVersions(crd, () => crdOf(stored)).map((version) =>
    definition(version, terminating, storageOf, () => replicasPathsOf(crd)),
  );
}

/** Where every version of the kind has its replicas; null for those that have no scale. */
function replicasPathsOf(crd: JsonObject): ReplicasPaths {
  const versions = arrayAt(objectAt(crd, 'spec'), 'versions').filter(isObject);
  return new Map(
    versions.map((version) => {
      const scale = objectAt(objectAt(version, 'subresources'), 'scale');
      const path = stringAt(scale, 'specReplicasPath')?.split('.').slice(1).map(fieldElement) ?? null;
      return [apiVersion({ group: groupOf(crd), version: stringAt(version, 'name') ?? '' }), path];
    }),
  );
}

function crdOf(stored: StoredObject): JsonObject {
  const crd = parseStored(stored.body);
  if (!isObject(crd)) throw new TypeError(`${stored.key} holds no object`);
  return crd;
}

const groupOf = (crd: JsonObject): string => String(objectAt(crd, 'spec')?.['group'] ?? '');

function definition(
  version: ServedCustomResource,
  terminating: boolean,
  storageOf: StorageOf,
  replicasPaths: () => ReplicasPaths,
): ResourceDefinition {
  const {
    kind,
    names,
    namespaced,
    storageVersion,
    scheme,
    strategy,
    printer,
    selectableFields,
    hasStatus,
    scale,
    deprecationWarning,
  } = version;
  const storedAs = { group: kind.group, resource: names.plural, version: storageVersion };
  return {
    resource: { group: kind.group, version: kind.version, resource: names.plural },
    singular: names.singular,
    listKind: names.listKind,
    shortNames: names.shortNames,
    categories: names.categories,
    namespaced,
    verbs: VERBS,
    custom: true,
    scheme,
    strategy,
    printer,
    storedAs,
    get storage() {
      return storageOf(storedAs);
    },
    summarize: (object) => summarize(object, strategy.selectableFields?.(object) ?? {}),
    selectableFields,
    hasStatus,
    returnsDeleted: false,
    terminating,
    publish: (openapi) => published(version, openapi),
    ...(scale === undefined ? {} : { scale, replicasPaths: replicasPaths() }),
    ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
  };
}

/** The published schemas of a kind and of its list. */
function published(
  { kind, names, schema, selectableFields, preserveUnknownFields }: ServedCustomResource,
  openapi: 'v2' | 'v3',
): JsonObject {
  const options = { openapi, kind, preserveUnknownFields, selectableFields };
  return {
    [modelName(kind)]: publishKind(schema(), options),
    [modelName({ ...kind, kind: names.listKind })]: publishList(names.listKind, names.plural, options),
  };
}
