import { parseStored } from '#lib/machinery/json.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { keyPrefix, objectKey } from './keys.ts';
import type { ReadAt, StorageOf, StoredObject } from './storage.ts';

/** The objects to look among: those of a resource, in one namespace or in all. */
export interface ResourceAt {
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
}

/** Reads other objects for plugins and endpoints, in their stored version. Results are shared: never change them. */
export interface Lookup {
  /** The object as of at most a second ago; where that shows none, as of now. */
  find(at: ResourceAt, name: string): Promise<JsonObject | undefined>;
  /** The object as of now. */
  findFresh(at: ResourceAt, name: string): Promise<JsonObject | undefined>;
  /** All objects of a resource, or of one namespace's, as of at most a second ago. */
  list(at: ResourceAt): Promise<readonly JsonObject[]>;
}

const RECENT: ReadAt = { kind: 'any', within: 1000 };
const FRESH: ReadAt = { kind: 'fresh' };

const parsed = new WeakMap<StoredObject, JsonObject>();

/** A lookup in the storage of one cluster. */
export function storageLookup({ storageOf, cluster }: { storageOf: StorageOf; cluster: string }): Lookup {
  const read = async ({ group, resource, namespace = '' }: ResourceAt, name: string, at: ReadAt) => {
    const stored = await storageOf({ group, resource }).get(
      objectKey({ cluster, group, resource, namespace, name }),
      at,
    );
    return stored === undefined ? undefined : parsedObject(stored);
  };
  return {
    find: async (at, name) => (await read(at, name, RECENT)) ?? read(at, name, FRESH),
    findFresh: (at, name) => read(at, name, FRESH),
    async list({ group, resource, namespace }) {
      const prefix = keyPrefix({ cluster, group, resource }, namespace);
      const { objects } = await storageOf({ group, resource }).list({ prefix, at: RECENT, limit: 0 });
      return objects.map(parsedObject);
    },
  };
}

/** A stored object, parsed once for all who ask. */
export function parsedObject(stored: StoredObject): JsonObject {
  const known = parsed.get(stored);
  if (known !== undefined) return known;
  const value = parseStored(stored.body);
  if (!isObject(value)) throw new TypeError(`${stored.key} holds no object`);
  parsed.set(stored, value);
  return value;
}
