import { randomInt } from 'node:crypto';
import { encodeObject, parseStored } from '#lib/machinery/json.ts';
import { isObject, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { creationTimeOf, uidOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { keyPrefix, objectKey, parseKey } from '#lib/storage/keys.ts';
import type { Storage, StoredObject } from '#lib/storage/storage.ts';
import { summarize } from '../../../../summarize.ts';

/** The service that holds a value. */
export interface Owner {
  readonly namespace: string;
  readonly name: string;
}

/** The holder of a value. `since` is in ms since 1970. `uid` distinguishes this claim from a later one. */
export interface Holder extends Owner {
  readonly uid: string;
  readonly since: number;
}

/** One object per allocated value. Creating the object claims the value, so only one of two concurrent claims succeeds. */
export interface Pool {
  /** False if the value is already taken. */
  claim(value: string, owner: Owner): Promise<boolean>;
  /** A no-op if another owner holds the value. */
  release(value: string, owner: Owner): Promise<void>;
  /** Ends one claim, regardless of its owner. A no-op if a newer claim has replaced it. */
  end(value: string, uid: string): Promise<void>;
  holder(value: string): Promise<Holder | undefined>;
  taken(): Promise<ReadonlySet<string>>;
}

/** A pool's storage and the resource of its objects. */
export interface PoolPorts {
  readonly storage: Storage;
  readonly cluster: string;
  readonly group: string;
  readonly resource: string;
  /** The object that represents a value. `spec.parentRef` names its owner. */
  object(value: string, owner: Owner): JsonObject;
}

/** A pool that stores its values as objects of a resource. */
export function pool({ storage, cluster, group, resource, object }: PoolPorts): Pool {
  const at = { cluster, group, resource };
  const key = (value: string): string => objectKey({ ...at, namespace: '', name: value });
  return {
    async claim(value, owner) {
      const created = object(value, owner);
      const { result } = await storage.mutate(key(value), (current) =>
        current === undefined
          ? { action: 'put', body: encodeObject(created), summary: summarize(created, {}), result: true }
          : { action: 'keep', result: false },
      );
      return result;
    },
    async release(value, owner) {
      await storage.mutate(key(value), (current) => ({
        action: current !== undefined && isOwnedBy(current, owner) ? 'delete' : 'keep',
        result: undefined,
      }));
    },
    async end(value, uid) {
      await storage.mutate(key(value), (current) => ({
        action: current !== undefined && uidOf(objectOf(current)) === uid ? 'delete' : 'keep',
        result: undefined,
      }));
    },
    async holder(value) {
      const stored = await storage.get(key(value), { kind: 'fresh' });
      return stored === undefined ? undefined : holderIn(objectOf(stored));
    },
    async taken() {
      const { objects } = await storage.list({ prefix: keyPrefix(at, ''), at: { kind: 'fresh' }, limit: 0 });
      return new Set(objects.map((one) => parseKey(one.key).name));
    },
  };
}

function objectOf({ body }: StoredObject): JsonObject {
  const value = parseStored(body);
  return isObject(value) ? value : {};
}

/** The holder recorded in a stored object of a pool. */
export function holderIn(object: JsonObject): Holder {
  const parent = objectAt(objectAt(object, 'spec'), 'parentRef');
  const since = creationTimeOf(object)?.getTime() ?? 0;
  return { namespace: text(parent, 'namespace'), name: text(parent, 'name'), uid: uidOf(object), since };
}

function isOwnedBy(stored: StoredObject, { namespace, name }: Owner): boolean {
  const holder = holderIn(objectOf(stored));
  return holder.namespace === namespace && holder.name === name;
}

/** A block of numbered values. */
export interface Block {
  readonly size: number;
  value(index: number): string;
}

/** The number of random attempts before the whole pool is read. */
const DRAWS = 8;

/** Claims a value of the first block that has a free one. Undefined if all values are taken. */
export async function claimAny(from: Pool, blocks: readonly Block[], owner: Owner): Promise<string | undefined> {
  for (const block of blocks) {
    const found = (await draw(from, block, owner)) ?? (await search(from, block, owner));
    if (found !== undefined) return found;
  }
  return undefined;
}

async function draw(from: Pool, { size, value }: Block, owner: Owner): Promise<string | undefined> {
  for (let left = size === 0 ? 0 : DRAWS; left > 0; left--) {
    const candidate = value(randomInt(size));
    if (await from.claim(candidate, owner)) return candidate;
  }
  return undefined;
}

/** Searches an almost full block after random attempts failed. Concurrent claims may take values that were free when the pool was read. */
async function search(from: Pool, { size, value }: Block, owner: Owner): Promise<string | undefined> {
  const taken = await from.taken();
  for (let index = 0; index < size; index++) {
    const candidate = value(index);
    if (!taken.has(candidate) && (await from.claim(candidate, owner))) return candidate;
  }
  return undefined;
}
