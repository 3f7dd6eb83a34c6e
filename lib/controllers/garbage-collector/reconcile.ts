import type { Client, ObjectRef } from '#lib/client/client.ts';
import { forEachAtOnce } from '#lib/client/controller/for-each.ts';
import type { ObjectChange, Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { restMapper } from '#lib/client/rest-mapper.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { arrayAt, isObject, type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import {
  finalizersOf,
  isDeleting,
  metadataOf,
  namespaceOf,
  type OwnerReference,
  ownerReferencesOf,
  resourceVersionOf,
  uidOf,
} from '#lib/machinery/meta.ts';
import { blocking, decideDependent, FOREGROUND, ORPHAN, type Owner } from './decide.ts';
import { Graph, type Node, type ObjectPlace } from './graph.ts';
import { type InvalidNamespacePorts, reportInvalidNamespaces } from './invalid-namespace.ts';
import { affectedBy, type Dependents } from './listed-dependents.ts';
import { ownerLookup } from './owners.ts';

/** The delay in ms before another discovery of a kind that is not served. */
const KIND_AGAIN = 30_000;
/** The delay in ms after which dependents stored before their owner's deletion have certainly been observed. */
const FEED_LAG = 200;
/** The delay in ms before dependents that block an owner are checked again, if no graph reports their deletion. */
const BLOCKED_AGAIN = 1000;
/** The number of dependents processed in parallel. */
const AT_ONCE = 8;

const UNKNOWN: Result = { requeueAfter: KIND_AGAIN };

interface Item extends ObjectPlace {
  readonly uid: string;
}
type OwnerKey = { readonly reference: OwnerReference; readonly namespace: string };

/**
 * Deletes objects that have lost their owners, and completes foreground and orphaning deletions: upstream's garbage collector. The graph is
 * built from changes and only shows which objects to check. Every decision is based on live reads, and every write has a uid and a version.
 * With `dependents` there is no graph, so the process does not need every change.
 */
export function garbageCollector(
  client: Client,
  clock: Clock,
  events = new EventCorrelator(clock),
  dependents?: Dependents,
): Reconciler {
  const collector = new Collector(client, clock, events, dependents);
  return {
    name: 'garbage-collector',
    keys: (change) => collector.keys(change),
    reconcile: (key) => collector.reconcile(key),
  };
}

class Collector {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #graph = new Graph();
  readonly #found: Dependents | undefined;
  readonly #mapper;
  readonly #look;
  readonly #reporting: InvalidNamespacePorts;
  /** The times at which orphaning owners were first seen, by uid. */
  readonly #orphaning = new Map<string, number>();

  constructor(client: Client, clock: Clock, events: EventCorrelator, dependents: Dependents | undefined) {
    this.#found = dependents;
    this.#client = client;
    this.#clock = clock;
    this.#mapper = restMapper(client);
    this.#look = ownerLookup(client, this.#mapper);
    this.#reporting = { client, mapper: this.#mapper, events };
  }

  keys(change: ObjectChange): readonly string[] {
    if (change.resource === 'events') return [];
    const { nodes, owners } = this.#found === undefined ? this.#graph.apply(change) : affectedBy(change);
    return [...nodes.map(itemKey), ...owners.map(ownerKey)];
  }

  async reconcile(key: string): Promise<Result> {
    const [kind, value] = JSON.parse(key) as ['item', Item] | ['owner', OwnerKey];
    return kind === 'owner' ? this.#owner(value) : this.#item(value, { reports: this.#found !== undefined });
  }

  /** Checks an owner once for all dependents with the same reference to it. */
  async #owner({ reference, namespace }: OwnerKey): Promise<Result> {
    if (await this.#lives(reference, namespace)) return undefined;
    const state = await this.#look(reference, namespace);
    if (state === 'unknown') return UNKNOWN;
    if (state === 'solid') return undefined;
    const dependents = await this.#dependentsIn(namespace, reference.uid);
    // Without a graph, owners are checked only when they were deleted.
    if (state !== 'waiting' && this.#found === undefined)
      await reportInvalidNamespaces(this.#reporting, reference, dependents);
    return state === 'invalid' ? undefined : this.#all(dependents);
  }

  /** Whether the graph has the owner at the stated location. If so, its deletion will be observed. */
  async #lives({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): Promise<boolean> {
    const node = this.#graph.node(uid);
    if (node === undefined || node.deleting || node.name !== name) return false;
    const resource = (await this.#mapper.ofKind(apiVersion, kind))?.resource;
    const isThere = node.namespace === '' || node.namespace === namespace;
    return isThere && resource?.group === node.group && resource.resource === node.resource;
  }

  async #dependentsIn(namespace: string, owner: string): Promise<readonly Node[]> {
    if (this.#found !== undefined) return this.#found.known(owner, namespace);
    return this.#graph.dependentsOf(owner).filter((node) => node.namespace === namespace);
  }

  async #dependentsOf(object: JsonObject): Promise<readonly Node[]> {
    const uid = uidOf(object);
    return this.#found === undefined ? this.#graph.dependentsOf(uid) : this.#found.known(uid, namespaceOf(object));
  }

  async #allDependentsOf(object: JsonObject): Promise<readonly Node[]> {
    const uid = uidOf(object);
    return this.#found === undefined ? this.#graph.dependentsOf(uid) : this.#found.all(uid, namespaceOf(object));
  }

  async #all(nodes: readonly Item[]): Promise<Result> {
    let result: Result;
    await forEachAtOnce(AT_ONCE, nodes, async (node) => {
      result = (await this.#item(node).catch(againIfConflict)) ?? result;
    });
    return result;
  }

  /** `reports`: whether new references of the object may name owners in other namespaces. */
  async #item(item: Item, { reports } = { reports: false }): Promise<Result> {
    const served = await this.#mapper.ofResource(item.group, item.resource);
    if (served === undefined) return UNKNOWN;
    const ref: ObjectRef = { resource: served.resource, namespace: item.namespace, name: item.name };
    const object = await this.#client.get(ref);
    if (object === undefined || uidOf(object) !== item.uid) return undefined;
    if (!isDeleting(object)) {
      const owners = await this.#ownersOf(object, reports ? [item] : []);
      return owners === 'unknown' ? UNKNOWN : this.#dependent(ref, object, owners);
    }
    const finalizers = finalizersOf(object);
    if (finalizers.includes(ORPHAN)) return this.#orphan(ref, object);
    return finalizers.includes(FOREGROUND) ? this.#foreground(ref, object) : undefined;
  }

  /** The object's owners and their states. Undefined if one is invalid. Reports those in other namespaces for the given dependents. */
  async #ownersOf(object: JsonObject, reportedFor: readonly Item[]): Promise<readonly Owner[] | 'unknown' | undefined> {
    const owners: Owner[] = [];
    for (const reference of ownerReferencesOf(object)) {
      const state = await this.#look(reference, namespaceOf(object));
      if (state === 'unknown') return state;
      if (state === 'dangling' || state === 'invalid')
        await reportInvalidNamespaces(this.#reporting, reference, reportedFor);
      if (state === 'invalid') return undefined;
      owners.push({ reference, state });
    }
    return owners;
  }

  async #dependent(ref: ObjectRef, object: JsonObject, owners: readonly Owner[] = []): Promise<Result> {
    const mayWait = owners.some(({ state }) => state === 'waiting');
    const decision = decideDependent(object, owners, mayWait ? await this.#dependentsOf(object) : []);
    if (decision.action === 'release') await this.#release(ref, object, decision.uids);
    if (decision.action !== 'delete') return undefined;
    const current = decision.unblock ? await this.#unblock(ref, object) : object;
    const preconditions = { uid: uidOf(current), resourceVersion: resourceVersionOf(current) };
    await this.#client.delete(ref, { ...preconditions, propagationPolicy: decision.policy }).catch(ignoreNotFound);
    return undefined;
  }

  /** Waits for the blocking dependents, and deletes those that are not being deleted. */
  async #foreground(ref: ObjectRef, object: JsonObject): Promise<Result> {
    const uid = uidOf(object);
    const known = await this.#dependentsOf(object);
    const dependents = blocking(uid, known).length > 0 ? known : await this.#allDependentsOf(object);
    if (blocking(uid, dependents).length === 0) return this.#removeFinalizer(ref, object, FOREGROUND);
    const result = await this.#all(dependents.filter(({ deleting }) => !deleting));
    return this.#found === undefined ? result : { requeueAfter: BLOCKED_AGAIN };
  }

  /** Removes the owner from every dependent's references. Removes the finalizer once no change of a dependent can be outstanding. */
  async #orphan(ref: ObjectRef, object: JsonObject): Promise<Result> {
    const uid = uidOf(object);
    const since = this.#orphaning.get(uid) ?? this.#clock.monotonic();
    this.#orphaning.set(uid, since);
    let released = 0;
    await forEachAtOnce(AT_ONCE, await this.#allDependentsOf(object), async (node) => {
      if (await this.#orphanOne(node, uid)) released++;
    });
    const left = this.#found === undefined ? since + FEED_LAG - this.#clock.monotonic() : 0; // lists are not stale
    if (released > 0 || left > 0) return { requeueAfter: Math.max(left, 1) };
    this.#orphaning.delete(uid);
    return this.#removeFinalizer(ref, object, ORPHAN);
  }

  async #orphanOne(node: Node, owner: string): Promise<boolean> {
    const served = await this.#mapper.ofResource(node.group, node.resource);
    if (served === undefined) return false;
    const ref: ObjectRef = { resource: served.resource, namespace: node.namespace, name: node.name };
    const object = await this.#client.get(ref);
    if (object === undefined || !ownerReferencesOf(object).some(({ uid }) => uid === owner)) return false;
    await this.#release(ref, object, [owner]);
    return true;
  }

  async #release(ref: ObjectRef, object: JsonObject, uids: readonly string[]): Promise<void> {
    const kept = references(object).filter((reference) => !uids.includes(stringAt(reference, 'uid') ?? ''));
    await this.#patch(ref, object, { ownerReferences: kept.length === 0 ? null : kept }).catch(ignoreNotFound);
  }

  async #unblock(ref: ObjectRef, object: JsonObject): Promise<JsonObject> {
    const free = references(object).map((reference) => ({ ...reference, blockOwnerDeletion: false }));
    return this.#patch(ref, object, { ownerReferences: free });
  }

  async #removeFinalizer(ref: ObjectRef, object: JsonObject, finalizer: string): Promise<Result> {
    const finalizers = finalizersOf(object).filter((other) => other !== finalizer);
    await this.#patch(ref, object, { finalizers }).catch(ignoreNotFound);
    return undefined;
  }

  #patch(ref: ObjectRef, object: JsonObject, metadata: JsonObject): Promise<JsonObject> {
    const preconditions = { uid: uidOf(object), resourceVersion: resourceVersionOf(object) };
    return this.#client.patch(ref, { metadata: { ...metadata, ...preconditions } });
  }
}

const references = (object: JsonObject): JsonObject[] =>
  arrayAt(metadataOf(object), 'ownerReferences').filter(isObject);

function itemKey({ group, resource, namespace, name, uid }: Node): string {
  return JSON.stringify(['item', { group, resource, namespace, name, uid }]);
}

function ownerKey({ reference, namespace }: OwnerKey): string {
  const { apiVersion, kind, name, uid } = reference;
  return JSON.stringify(['owner', { reference: { apiVersion, kind, name, uid }, namespace }]);
}

/** Retries after a concurrent write. Throws other errors. */
function againIfConflict(error: unknown): Result {
  if (error instanceof StatusError && error.reason === 'Conflict') return { requeueAfter: 1 };
  throw error;
}
