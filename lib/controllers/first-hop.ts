import type { Client } from '#lib/client/client.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import type { Request } from '#lib/client/controller/requests.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, ownerReferencesOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { DependentsIndex } from '#lib/storage/dependents.ts';
import { DEFAULT_CLUSTER, parseKey } from '#lib/storage/keys.ts';
import { isHeartbeatAlone } from './heartbeat.ts';
import { type Need, needsAround, needsForChange, needsForKey, OWNING, type Owning } from './reminders.ts';

/** The queue through which changes reach the function of the built-in reconcilers, which computes the keys that they concern. */
export const BUILT_IN = 'built-in';

/** Frequently written resources that no built-in reconciler watches. */
const UNHEARD = new Set(['events', 'leases']);

/**
 * The first hop of a change: one message for all built-in reconcilers. Each change has its own message. A message for only the last change
 * of an object would miss a deletion before it. Pure.
 */
export const builtInHop = {
  name: BUILT_IN,
  hears: (sequence: string): boolean => !UNHEARD.has(sequence.slice(sequence.lastIndexOf('/') + 1)),
  requests(change: ObjectChange): readonly Request[] {
    const { group, resource, namespace, name, object } = change;
    if (UNHEARD.has(resource) || isHeartbeatAlone(change)) return [];
    return [{ namespace: '', name: `${group}/${resource}/${namespace}/${name}@${resourceVersionOf(object())}` }];
  },
};

/** Reads the objects of a need. */
export type Reader = (need: Need) => Promise<readonly JsonObject[]>;

/** A reader that reads each need once for all callers. Use it only for changes made before it was created. */
export function readOnce(client: Client): Reader {
  const read = new Map<string, Promise<readonly JsonObject[]>>();
  return (need) => {
    const { kind, namespace, name } = need;
    const key = JSON.stringify([kind.group, kind.resource, namespace, name]);
    const known = read.get(key);
    if (known !== undefined) return known;
    const reading = readNeed(client, need);
    read.set(key, reading);
    reading.catch(() => read.delete(key)); // the caller gets the error, and the next caller reads again
    return reading;
  };
}

async function readNeed(client: Client, { kind, namespace, name }: Need): Promise<readonly JsonObject[]> {
  if (name === undefined) return client.list(kind, { namespace });
  const object = await client.get({ resource: kind, namespace, name });
  return object === undefined ? [] : [object];
}

/** Passes the other objects that a newly started reconciler needs to work on a key. */
export async function remind(
  reconciler: Reconciler,
  key: string,
  { client, index }: { readonly client: Client; readonly index: DependentsIndex },
): Promise<void> {
  for (const need of needsForKey(reconciler.name, key)) {
    for (const object of await readNeed(client, need)) reconciler.keys(asAdded(need.kind, object));
  }
  const owning = OWNING[reconciler.name];
  if (owning === undefined) return;
  const { namespace, name } = splitKey(key);
  const owner = await client.get({ resource: owning.owners, namespace, name });
  if (owner === undefined) return;
  for (const dependent of await index.dependents(DEFAULT_CLUSTER, uidOf(owner))) {
    const change = asControlled(dependent, owner, owning);
    if (change !== undefined) reconciler.keys(change);
  }
}

/** The part of a dependent that an index of owners needs. Reconcilers read the rest. */
function asControlled(key: string, owner: JsonObject, { owners, kind, dependents }: Owning): ObjectChange | undefined {
  const { group, resource, namespace, name } = parseKey(key);
  const found = dependents.find((one) => one.group === group && one.resource === resource);
  if (found === undefined) return undefined;
  const reference = { apiVersion: apiVersion(owners), kind, name: nameOf(owner), uid: uidOf(owner), controller: true };
  return asAdded(found, { metadata: { namespace, name, ownerReferences: [reference] } });
}

/** Reconcilers that do not need the state before a change. */
const SEES_BEFORE = new Set(['garbage-collector', 'namespace']);

/**
 * The keys of a change for a reconciler that just started. `before` is the state that the change replaced. Without it, the reconciler is
 * not primed with the object itself, because it would then see no difference in the change.
 */
export async function keysOf(
  reconciler: Reconciler,
  change: ObjectChange,
  { before, read }: { readonly before: ObjectChange | undefined; readonly read: Reader },
): Promise<readonly string[]> {
  await told(reconciler, needsForChange(reconciler.name, change), { read, but: change });
  if (before === undefined || SEES_BEFORE.has(reconciler.name)) return reconciler.keys(change);
  reconciler.keys(before); // discarded, because the first call of a reconciler may return keys that do not come from this change
  return [...new Set([...reconciler.keys(before), ...reconciler.keys(change)])];
}

/** Passes the needed objects, except `but`, to a reconciler as additions. Resolves with the keys of all. */
async function told(
  reconciler: Reconciler,
  needs: readonly Need[],
  { read, but }: { readonly read: Reader; readonly but: ObjectChange },
): Promise<string[]> {
  const keys: string[] = [];
  for (const need of needs) {
    for (const object of await read(need)) {
      const change = asAdded(need.kind, object);
      if (!isSame(change, but)) keys.push(...reconciler.keys(change));
    }
  }
  return keys;
}

const isSame = (one: ObjectChange, other: ObjectChange): boolean =>
  one.name === other.name &&
  one.namespace === other.namespace &&
  one.resource === other.resource &&
  one.group === other.group;

/**
 * The keys that a change may concern if its content is no longer known. They are the keys of all objects, in their current state, that it
 * may have concerned. `owned` lists objects with owners in a namespace.
 */
export async function keysAround(
  reconciler: Reconciler,
  change: ObjectChange,
  { read, owned }: { readonly read: Reader; owned(namespace: string): Promise<readonly ObjectChange[]> },
): Promise<readonly string[]> {
  const keys = await told(reconciler, needsAround(reconciler.name, change), { read, but: change });
  const isOwners = reconciler.name === 'garbage-collector' && change.type === 'DELETED';
  for (const one of isOwners ? await owned(change.namespace) : [change]) keys.push(...reconciler.keys(one));
  return [...new Set(keys)];
}

/** The change that deletes an object. Only its namespace and name are known. */
export function asGone(place: Pick<ObjectChange, 'group' | 'resource' | 'namespace' | 'name'>): ObjectChange {
  const { namespace, name } = place;
  const object: JsonObject = { metadata: { ...(namespace === '' ? {} : { namespace }), name } };
  return { ...place, type: 'DELETED', ownerReferences: [], mentions: () => false, object: () => object };
}

/** The change that creates an object. */
export function asAdded(
  { group, resource }: Pick<ObjectChange, 'group' | 'resource'>,
  object: JsonObject,
): ObjectChange {
  let text: string | undefined;
  return {
    type: 'ADDED',
    group,
    resource,
    namespace: namespaceOf(object),
    name: nameOf(object),
    ownerReferences: ownerReferencesOf(object),
    mentions: (part) => (text ??= JSON.stringify(object)).includes(part),
    object: () => object,
  };
}
