import type { Pod } from '#lib/api/types/core.v1.ts';
import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { ownField } from '#lib/machinery/json-value.ts';

/** Objects of one resource that pods of this node refer to. */
export interface ReferencedObjectsOptions<T> {
  readonly clock: Clock;
  /** The names that a pod refers to in its namespace. */
  names(pod: Pod): readonly string[];
  /**
   * Undefined if the object does not exist. With `cached`, a response that is a few seconds old is sufficient. Throws if the server is
   * unavailable.
   */
  get(namespace: string, name: string, cached: boolean): Promise<T | undefined>;
  /** Validity of a response in ms, from the Node's annotation `node.alpha.kubernetes.io/ttl`. Undefined without it. */
  ttl(): number | undefined;
}

/** Validity of a response in ms without the Node's annotation. */
const DEFAULT_TTL = 60_000;

interface Answer<T> {
  readonly object: T | undefined;
  /** Monotonic time in milliseconds. Wall-clock changes do not extend the validity of old responses. */
  readonly at: number;
}

interface Item<T> {
  references: number;
  answer: Answer<T> | undefined;
  /** The request in progress, which later readers share. */
  pending: Promise<T | undefined> | undefined;
}

/**
 * Reads objects by name while pods refer to them (upstream: cacheBasedManager with a TTL store). Upstream's default uses a watch for each
 * object. A node here uses none, because each watch occupies a function. A change reaches a pod within a sync and the TTL.
 */
export class ReferencedObjects<T extends { readonly metadata: ObjectMeta }> {
  readonly #options: ReferencedObjectsOptions<T>;
  readonly #items = new Map<string, Item<T>>();
  /** The keys that each pod refers to, by the pod's uid. */
  readonly #pods = new Map<string, ReadonlySet<string>>();

  constructor(options: ReferencedObjectsOptions<T>) {
    this.#options = options;
  }

  /** Counts the pod's references. Newly referenced objects are read again at the next `get`. */
  registerPod(pod: Pod): void {
    const keys = new Set(this.#options.names(pod).map((name) => keyOf(pod.metadata.namespace ?? '', name)));
    const uid = pod.metadata.uid ?? '';
    const before = this.#pods.get(uid) ?? new Set<string>();
    this.#pods.set(uid, keys);
    for (const key of keys) if (!before.has(key)) this.#add(key);
    for (const key of before) if (!keys.has(key)) this.#remove(key);
  }

  /** Releases the pod's references. An object without references is forgotten. */
  unregisterPod(pod: Pod): void {
    const uid = pod.metadata.uid ?? '';
    const keys = this.#pods.get(uid) ?? new Set<string>();
    this.#pods.delete(uid);
    for (const key of keys) this.#remove(key);
  }

  /**
   * The object, or undefined if it does not exist. Throws if no registered pod refers to it, or if it was never read and the server is
   * unavailable.
   */
  async get(namespace: string, name: string): Promise<T | undefined> {
    const item = this.#items.get(keyOf(namespace, name));
    if (item === undefined)
      throw new Error(`object ${JSON.stringify(namespace)}/${JSON.stringify(name)} not registered`);
    if (item.answer?.object !== undefined && this.#isFresh(item.answer)) return item.answer.object;
    item.pending ??= this.#fetch(namespace, name, item);
    return item.pending;
  }

  /** Compares with the current versions by `namespace/name`. Objects with another version are read again at their next `get`. */
  outdate(versions: Readonly<Record<string, string>>): void {
    for (const [key, item] of this.#items) {
      const { answer } = item;
      if (answer?.object !== undefined && answer.object.metadata.resourceVersion !== ownField(versions, key))
        item.answer = { ...answer, at: Number.NEGATIVE_INFINITY };
    }
  }

  #isFresh({ at }: Answer<T>): boolean {
    return this.#options.clock.monotonic() < at + (this.#options.ttl() ?? DEFAULT_TTL);
  }

  async #fetch(namespace: string, name: string, item: Item<T>): Promise<T | undefined> {
    const before = item.answer;
    try {
      const object = await this.#options.get(namespace, name, before?.object !== undefined);
      if (object !== undefined && isOlder(object, before?.object)) return before?.object;
      item.answer = { object, at: this.#options.clock.monotonic() };
      return object;
    } catch (error) {
      if (before?.object === undefined) throw error;
      return before.object; // a known object stays usable while the server is unavailable
    } finally {
      item.pending = undefined;
    }
  }

  #add(key: string): void {
    const references = (this.#items.get(key)?.references ?? 0) + 1;
    this.#items.set(key, { references, answer: undefined, pending: undefined });
  }

  #remove(key: string): void {
    const item = this.#items.get(key);
    if (item === undefined) return;
    item.references -= 1;
    if (item.references === 0) this.#items.delete(key);
  }
}

const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;

/** A lagging server may return an older object. */
function isOlder<T extends { readonly metadata: ObjectMeta }>(object: T, before: T | undefined): boolean {
  return before !== undefined && versionOf(object) < versionOf(before);
}

const versionOf = ({ metadata }: { readonly metadata: ObjectMeta }): bigint =>
  /^\d+$/.test(metadata.resourceVersion ?? '') ? BigInt(metadata.resourceVersion ?? '') : 0n;

/** The TTL in the Node's annotation in milliseconds, or undefined without a valid number. */
export function objectTTL(annotations: Readonly<Record<string, string>> | undefined): number | undefined {
  const text = annotations?.['node.alpha.kubernetes.io/ttl'] ?? '';
  return /^[+-]?\d+$/.test(text) ? Number(text) * 1000 : undefined;
}
