import { defined } from '#lib/machinery/defined.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { keyPrefix, objectKey } from './keys.ts';
import type { Version } from './sequence.ts';
import type { Narrowing, ReadAt, StorageOf, StoredObject } from './storage.ts';

/**
 * A resource, or the objects of a resource in one namespace. A resource from `lib/api/types/resources.ts` with a `namespace` field also has
 * this type.
 */
export interface ResourceAt<T extends JsonObject = JsonObject> {
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
  /** Never set. Binds the type of the objects, as in `ResourceOf`. */
  readonly type?: T;
}

/**
 * Reads other objects for plugins and endpoints, in their stored version, typed if the resource binds a type. Results are shared and must
 * not be changed. Throws the StoreError of a failing storage.
 */
export interface Lookup {
  /** The object in a state at most a second old. If the object does not exist there, the current object. */
  find<T extends JsonObject = JsonObject>(at: ResourceAt<T>, name: string): Promise<T | undefined>;
  /** The current object. */
  findFresh<T extends JsonObject = JsonObject>(at: ResourceAt<T>, name: string): Promise<T | undefined>;
  /** The objects of a resource, or of one namespace, in a state at most a second old. With `where`, only objects with that value. */
  list<T extends JsonObject = JsonObject>(at: ResourceAt<T>, where?: Narrowing): Promise<readonly T[]>;
  /**
   * The objects of a namespace whose names begin with `prefix`, by name, without damaged ones. While their sequence does not change, a call
   * costs one read of its head. It costs no read if `read` accepts the last state.
   */
  named<T extends JsonObject = JsonObject>(
    at: ResourceAt<T>,
    prefix: string,
    read: ReadAt,
  ): Promise<ReadonlyMap<string, T>>;
}

/** Reads a state that is at most a second old. */
export const RECENT: ReadAt = { kind: 'any', within: 1000 };
/** Reads the current state. */
export const FRESH: ReadAt = { kind: 'fresh' };

const parsed = new WeakMap<StoredObject, JsonObject>();

/** Creates a lookup in the storage of one logical cluster. */
export function storageLookup({ storageOf, cluster }: { storageOf: StorageOf; cluster: string }): Lookup {
  const read = async <T extends JsonObject>(place: ResourceAt<T>, name: string, at: ReadAt): Promise<T | undefined> => {
    const { group, resource, namespace = '' } = place;
    const stored = await storageOf({ group, resource }).get(
      objectKey({ cluster, group, resource, namespace, name }),
      at,
    );
    return stored === undefined ? undefined : storedAs(place, stored);
  };
  const known = new Map<string, { readonly version: Version; readonly objects: ReadonlyMap<string, StoredObject> }>();
  return {
    find: async (at, name) => (await read(at, name, RECENT)) ?? read(at, name, FRESH),
    findFresh: (at, name) => read(at, name, FRESH),
    async list(place, where) {
      const { group, resource, namespace } = place;
      const prefix = keyPrefix({ cluster, group, resource }, namespace);
      const request = { prefix, at: RECENT, limit: 0, ...defined({ where }) };
      const { objects } = await storageOf({ group, resource }).list(request);
      return objects.map((stored) => storedAs(place, stored));
    },
    async named(place, start, at) {
      const { group, resource, namespace = '' } = place;
      const storage = storageOf({ group, resource });
      const within = keyPrefix({ cluster, group, resource }, namespace);
      const prefix = `${within}${start}`;
      let held = known.get(prefix);
      if (held === undefined || (await storage.head(at)) !== held.version) {
        const { objects, version } = await storage.list({ prefix, at, limit: 0, leaveOut: ignore });
        held = { version, objects: new Map(objects.map((stored) => [stored.key.slice(within.length), stored])) };
        known.set(prefix, held);
      }
      return new Map([...held.objects].map(([name, stored]) => [name, storedAs(place, stored)]));
    },
  };
}

/** Leaves damaged objects out silently. Their other readers report them. */
const ignore = (): void => undefined;

/** Casts a stored object to the resource's type. The API server stores only decoded objects, so the type is correct. */
const storedAs = <T extends JsonObject>(_place: ResourceAt<T>, stored: StoredObject): T => parsedObject(stored) as T;

/** Parses a stored object once and shares the result. */
export function parsedObject(stored: StoredObject): JsonObject {
  const known = parsed.get(stored);
  if (known !== undefined) return known;
  const value = parseStored(stored.body);
  if (!isObject(value)) throw new TypeError(`${stored.key} holds no object`);
  parsed.set(stored, value);
  return value;
}
