import { typedObject } from '#lib/api/typed.ts';
import { FLOW_SCHEMAS, PRIORITY_LEVEL_CONFIGURATIONS } from '#lib/api/types/resources.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { Version } from '#lib/storage/sequence.ts';
import type { Storage, StorageOf, StoredObject } from '#lib/storage/storage.ts';
import { type Configuration, configurationOf, levelOf, schemaOf } from './configuration.ts';

const GROUP = 'flowcontrol.apiserver.k8s.io';
/** Allows a state that is at most one second old. */
const RECENT = { kind: 'any', within: 1000 } as const;

interface CachedConfiguration {
  readonly version: Version;
  readonly objects: readonly StoredObject[];
  readonly configuration: Configuration;
}

/**
 * Returns the stored flow schemas and priority levels, as the same object until one changes. While their sequence is unchanged, a call
 * costs one read of its head. If the store fails, the last known configuration remains in use.
 */
export function configurationSource(storageOf: StorageOf, cluster: string): () => Promise<Configuration> {
  const storage = storageOf({ group: GROUP, resource: 'flowschemas' });
  const root = `${cluster}/${GROUP}/`;
  let known: CachedConfiguration = { version: -1, objects: [], configuration: configurationOf([], []) };
  return async () => {
    try {
      if ((await storage.head(RECENT)) !== known.version) known = await refreshed(storage, root, known);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
    return known.configuration;
  };
}

async function refreshed(storage: Storage, root: string, known: CachedConfiguration): Promise<CachedConfiguration> {
  const { objects, version } = await storage.list({ prefix: root, at: RECENT, limit: 0 });
  const same = objects.length === known.objects.length && objects.every((object, i) => object === known.objects[i]);
  if (same && known.version >= 0) return { ...known, version };
  const parsed = <T extends JsonObject>(resource: ResourceOf<T>): T[] =>
    objects
      .filter(({ key }) => key.startsWith(`${root}${resource.resource}/`))
      .map(({ body }) => parseStored(body))
      .filter(isObject)
      .map((object) => typedObject(resource, object));
  const schemas = parsed(FLOW_SCHEMAS).map(schemaOf);
  return {
    version,
    objects,
    configuration: configurationOf(schemas, parsed(PRIORITY_LEVEL_CONFIGURATIONS).map(levelOf)),
  };
}
