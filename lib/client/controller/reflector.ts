import type { ListWatch } from '#lib/client/list-watch.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { metadataOf, nameOf, namespaceOf, resourceVersionOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import { jitter } from '#lib/machinery/wait/jitter.ts';
import { DEFAULT_CLUSTER, objectKey } from '#lib/storage/keys.ts';
import { changeOf } from './object-change.ts';
import type { ObjectChange } from './reconciler.ts';

/** The ports and options of a reflector. */
export interface ReflectorOptions {
  readonly resource: GroupVersionResource;
  readonly from: ListWatch;
  readonly clock: Clock;
  /** Returns numbers from 0 to below 1. */
  random(): number;
  /** Called once for every object, then for each change in order. */
  deliver(change: ObjectChange): void;
  /** Called after each list, when all its objects have been delivered. */
  listed(): void;
  /** Called when a list or watch failed. It is retried. */
  onFault(error: unknown): void;
  readonly signal: AbortSignal;
}

const PAGE = 500;
/** The timeout of a watch in seconds. A random part of up to the same length is added, so that watches do not all restart together. */
const WATCH = 300;
/** The delay before a retry in ms. A watch that lasted as long as the cap counts as recovered. */
const BACKOFF = { duration: 800, factor: 2, jitter: 1, cap: 30_000 };
/** The time in ms within which a watch that ends without events counts as failed. */
const SHORT = 1000;

/**
 * Follows a resource over the network until the signal aborts: upstream's Reflector. It lists the resource, then watches from the list's
 * version. If that version is too old, it lists again and delivers the differences. It stores the last state of each object as bytes, and
 * reports it as the previous state of a change.
 */
export class Reflector {
  readonly #options: ReflectorOptions;
  readonly #known = new Map<string, Uint8Array>();
  /** The version to watch from. If undefined, the reflector lists first. */
  #version: string | undefined;

  constructor(options: ReflectorOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { clock, random, signal, onFault } = this.#options;
    for (let failures = 0; !signal.aborted; ) {
      const began = clock.monotonic();
      try {
        this.#version ??= await this.#list();
        const events = await this.#watch(this.#version);
        if (events > 0 || clock.monotonic() - began >= SHORT) failures = 0;
        else failures++;
      } catch (error) {
        if (signal.aborted) return;
        failures = clock.monotonic() - began > BACKOFF.cap ? 1 : failures + 1;
        if (isExpired(error)) this.#version = undefined;
        else onFault(error);
      }
      if (failures > 0) await clock.sleep(delayAfter(failures, BACKOFF, random), signal);
    }
  }

  /** All known objects, in the form of their first delivery. */
  *all(): Generator<ObjectChange> {
    for (const [key, body] of this.#known) yield changeOf('ADDED', { key, body, summary: NOTHING });
  }

  async #list(): Promise<string> {
    const { listed, from } = this.#options;
    const gone = new Set(this.#known.keys());
    let version = '';
    for (let [limit, next] = [PAGE, '']; ; ) {
      const page = await from.list({ limit, next }).catch((error: unknown) => {
        if (next === '' || !isExpired(error)) throw error;
        return undefined; // the list took too long: repeat it without pages
      });
      [limit, next, version] = page === undefined ? [0, '', ''] : [limit, page.next, page.version];
      for (const item of page?.items ?? []) gone.delete(this.#take('ADDED', item));
      if (page !== undefined && next === '') break;
    }
    for (const key of gone) this.#forget(key);
    listed();
    return version;
  }

  /** Watches from a version. Returns the number of events. */
  async #watch(version: string): Promise<number> {
    const { random, signal, from } = this.#options;
    const timeout = Math.floor(jitter(WATCH, 1, random));
    let events = 0;
    for await (const { type, object } of from.watch({ version, timeout, signal })) {
      if (signal.aborted) break;
      events++;
      if (type !== 'BOOKMARK') this.#take(type, object);
      this.#version = resourceVersionOf(object);
    }
    return events;
  }

  /** Delivers an object if it differs from the known state. Returns the object's key. */
  #take(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: JsonObject): string {
    const key = this.#keyOf(object);
    const body = Buffer.from(encodeJson(withoutManagers(object)));
    const before = this.#known.get(key);
    if (type === 'DELETED') this.#known.delete(key);
    else this.#known.set(key, body);
    if (type === 'ADDED' && before !== undefined && Buffer.compare(before, body) === 0) return key;
    const now = type === 'ADDED' && before !== undefined ? 'MODIFIED' : type;
    this.#deliver({ type: now, key, body }, before);
    return key;
  }

  /** Delivers the deletion of an object that disappeared between lists. */
  #forget(key: string): void {
    const body = this.#known.get(key) as Uint8Array;
    this.#known.delete(key);
    this.#deliver({ type: 'DELETED', key, body }, undefined);
  }

  #deliver({ type, ...stored }: StoreChange, before: Uint8Array | undefined): void {
    const change = changeOf(type, { ...stored, summary: NOTHING }, before === undefined ? {} : { body: before });
    this.#options.deliver(change);
  }

  /** The storage key. Both groups of events share one store. */
  #keyOf(object: JsonObject): string {
    const { group, resource } = this.#options.resource;
    const stored = group === 'events.k8s.io' ? '' : group;
    const place = { namespace: namespaceOf(object), name: nameOf(object) };
    return objectKey({ cluster: DEFAULT_CLUSTER, group: stored, resource, ...place });
  }
}

interface StoreChange {
  readonly type: ObjectChange['type'];
  readonly key: string;
  readonly body: Uint8Array;
}

/** An empty summary. Readers use the object itself. */
const NOTHING = { labels: {}, fields: {}, generation: 0, ownerReferences: [] };

/** Removes managed fields. They are half the size of many objects, and no reconciler is triggered by them. */
function withoutManagers(object: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = metadataOf(object);
  return { ...object, metadata };
}

const isExpired = (error: unknown): boolean => error instanceof StatusError && error.code === 410;
