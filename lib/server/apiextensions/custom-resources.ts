import { isBuiltInGroup } from '#lib/api/kinds.ts';
import { fieldElement } from '#lib/api/patch/apply/path-element.ts';
import type { ReplicasPaths } from '#lib/api/patch/apply/scale.ts';
import { modelName, publishKind, publishList } from '#lib/api/schema/openapi.ts';
import { defined } from '#lib/machinery/defined.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { compareVersions } from '#lib/machinery/kube-version.ts';
import { isDeleting, metadataOf } from '#lib/machinery/meta.ts';
import { Recent } from '#lib/machinery/recent.ts';
import { apiVersion, type GroupVersionResource } from '#lib/machinery/schema.ts';
import { inTurns, type Turn } from '#lib/machinery/steps.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import type { CustomResources, CustomVersion } from '#lib/server/registry/resources.ts';
import { summarize } from '#lib/server/registry/summarize.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import { keyPrefix, objectKey } from '#lib/storage/keys.ts';
import type { ReadAt, Storage, StorageOf, StoredObject } from '#lib/storage/storage.ts';
import type { RuleMetrics } from './cel/rule-metrics.ts';
import { conditionTrue } from './conditions.ts';
import { type ServedCustomResource, type ServingPorts, servedVersions } from './custom-resource/served.ts';
import { definitionChange } from './definition-change.ts';
import { parseOutline } from './outline.ts';

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

/** The ports of custom resources. */
export interface CustomResourcesOptions {
  readonly storageOf: StorageOf;
  readonly cluster: string;
  /** Calls conversion webhooks. If absent, objects that need conversion cannot be read. */
  readonly webhooks?: WebhookClient;
  /** Receives the durations of rules. Default none. */
  readonly ruleMetrics?: RuleMetrics;
  /** Receives warnings about a definition for the operator. Default none. */
  warn?(text: string): void;
}

/** The factor from a definition's stored bytes to the memory of its compiled schemas, and the limit of that memory in bytes. */
const COMPILED = 10;
const COMPILED_LIMIT = 64 * 1024 * 1024;

/**
 * Serves the stored definitions, without registration, start or removal. A definition that is only listed needs no schema in memory. A
 * served one compiles its schemas for its first object. The cache evicts the least recently used ones.
 */
export function customResources({ storageOf, cluster, ...ports }: CustomResourcesOptions): CustomResources {
  const storage = storageOf({ group: GROUP, resource: RESOURCE });
  const prefix = keyPrefix({ cluster, group: GROUP, resource: RESOURCE });
  const used = new Recent<StoredObject, readonly ResourceDefinition[]>(COMPILED_LIMIT);
  const listed = new WeakMap<StoredObject, readonly ResourceDefinition[]>();
  let last: { readonly objects: readonly StoredObject[]; readonly versions: readonly CustomVersion[] } | undefined;
  const whole = async (outline: StoredObject): Promise<StoredObject | undefined> =>
    outline.outline === true ? storage.get(outline.key, LISTED) : outline;
  const change: Sources['change'] = (key, crd, signal) => definitionChange(storage, key, crd, signal);
  const from: Sources = { storageOf, ports, whole, change };
  const list = (stored: StoredObject): readonly ResourceDefinition[] => {
    const known = listed.get(stored) ?? definitionsOf(stored, from);
    listed.set(stored, known);
    return known;
  };
  const findAt = async (gvr: GroupVersionResource, at: ReadAt): Promise<ResourceDefinition | undefined> => {
    const stored = await storage.get(definitionKey(cluster, gvr), at);
    if (stored === undefined) return undefined;
    const definitions = used.get(stored, stored.body.length * COMPILED, () => definitionsOf(stored, from));
    return definitions.find(({ resource }) => resource.version === gvr.version);
  };
  return {
    async find(gvr) {
      if (isBuiltInGroup(gvr.group)) return undefined;
      return (await findAt(gvr, RECENT)) ?? findAt(gvr, FRESH);
    },
    async versions({ recent } = { recent: false }) {
      const { objects } = await storage.list({ prefix, at: recent ? RECENT : FRESH, limit: 0, outlines: true });
      if (last === undefined || !same(objects, last.objects)) {
        last = { objects, versions: versionsOf(objects.flatMap(list), last?.versions ?? []) };
      }
      return last.versions;
    },
  };
}

const same = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, i) => item === b[i]);

/** Groups definitions by group version. Unchanged known group versions stay identical. */
function versionsOf(all: readonly ResourceDefinition[], before: readonly CustomVersion[]): readonly CustomVersion[] {
  const known = new Map(before.map((version) => [apiVersion(version), version]));
  const groups = Map.groupBy(all, ({ resource }) => apiVersion(resource));
  return [...groups]
    .map(([name, unsorted]) => {
      const definitions = unsorted.toSorted((a, b) => (a.resource.resource < b.resource.resource ? -1 : 1));
      const version = known.get(name);
      if (version !== undefined && same(version.definitions, definitions)) return version;
      const { resource } = definitions[0] as ResourceDefinition;
      return { group: resource.group, version: resource.version, definitions };
    })
    .sort(byGroup);
}

const FRESH: ReadAt = { kind: 'fresh' };
/** Requests for served resources query the sequence at most once a second. A resource that is not found is looked up again. */
const RECENT: ReadAt = { kind: 'any', within: 1000 };
/** Reads a definition in the state that a list has just returned. */
const LISTED: ReadAt = { kind: 'any' };

function definitionKey(cluster: string, { group, resource }: GroupVersionResource): string {
  return objectKey({ cluster, group: GROUP, resource: RESOURCE, namespace: '', name: `${resource}.${group}` });
}

/** Sorts groups by name, and versions within each by upstream's priority. */
function byGroup(a: CustomVersion, b: CustomVersion): number {
  return a.group === b.group ? compareVersions(a.version, b.version) : a.group < b.group ? -1 : 1;
}

interface Sources {
  readonly storageOf: StorageOf;
  readonly ports: ServingPorts;
  /** Returns the stored definition with its schemas. Undefined if it no longer exists. */
  readonly whole: (stored: StoredObject) => Promise<StoredObject | undefined>;
  /** Resolves when the definition serves different resources. */
  readonly change: (key: string, crd: JsonObject, signal: AbortSignal) => Promise<void>;
}

function definitionsOf(
  stored: StoredObject,
  { storageOf, ports, whole, change }: Sources,
): readonly ResourceDefinition[] {
  const crd = lasting(parseOutline(stored.body));
  if (isBuiltInGroup(groupOf(crd)) || !conditionTrue(crd, 'Established')) return [];
  const readWhole = async (): Promise<JsonObject | undefined> => {
    const object = await whole(stored);
    return object && crdOf(object);
  };
  const { key } = stored;
  const changed = (signal: AbortSignal): Promise<void> => change(key, crd, signal);
  return servedVersions(crd, () => crdOf(stored), ports).map((version) =>
    definition({ version, crd, readWhole, storageOf, changed }),
  );
}

/** Returns the parts of a definition that stay in memory while it is served. Omits its metadata, which may be large. */
function lasting(crd: JsonObject): JsonObject {
  const { uid = '', generation = 0, deletionTimestamp = null } = metadataOf(crd);
  return {
    metadata: { uid, generation, deletionTimestamp },
    spec: objectAt(crd, 'spec') ?? {},
    status: objectAt(crd, 'status') ?? {},
  };
}

/** Returns the path of the replicas in every version of the kind. Null for a version without a scale. */
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

/** Returns a definition without schemas, which are needed only to serve it. */
function crdOf(stored: StoredObject): JsonObject {
  if (stored.outline === true) throw new TypeError(`${stored.key} was read without its schemas`);
  const crd = parseStored(stored.body);
  if (!isObject(crd)) throw new TypeError(`${stored.key} holds no object`);
  return crd;
}

const groupOf = (crd: JsonObject): string => String(objectAt(crd, 'spec')?.['group'] ?? '');

interface DefinitionSource {
  readonly version: ServedCustomResource;
  readonly crd: JsonObject;
  readonly readWhole: () => Promise<JsonObject | undefined>;
  readonly storageOf: StorageOf;
  readonly changed: (signal: AbortSignal) => Promise<void>;
}

function definition({ version, crd, readWhole, storageOf, changed }: DefinitionSource): ResourceDefinition {
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
    converted,
  } = version;
  let storage: Storage | undefined;
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
      return (storage ??= converted?.(storageOf(storedAs))) ?? storageOf(storedAs);
    },
    summarize: (object) => summarize(object, strategy.selectableFields?.(object) ?? {}),
    selectableFields,
    hasStatus,
    returnsDeleted: false,
    terminating: isDeleting(crd),
    publish: async (openapi, turn) => published(await readWhole(), kind.version, openapi, turn),
    changed,
    ...(scale === undefined ? {} : { scale, replicasPaths: replicasPathsOf(crd) }),
    ...defined({ deprecationWarning }),
  };
}

/** Returns the published schemas of a kind and of its list. Reads the schema for this call and does not keep it. */
async function published(
  crd: JsonObject | undefined,
  name: string,
  openapi: 'v2' | 'v3',
  turn: Turn,
): Promise<JsonObject> {
  await turn?.();
  const version = crd && servedVersions(crd).find(({ kind }) => kind.version === name);
  if (version === undefined) return {};
  const { kind, names, schema, selectableFields, preserveUnknownFields } = version;
  const options = { openapi, kind, preserveUnknownFields, selectableFields };
  const structural = schema();
  await turn?.();
  return {
    [modelName(kind)]: await inTurns(publishKind(structural, options), turn),
    [modelName({ ...kind, kind: names.listKind })]: publishList(names.listKind, names.plural, options),
  };
}
