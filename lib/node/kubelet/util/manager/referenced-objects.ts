import type { Pod } from '#lib/api/types/core.v1.ts';
import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { ownField } from '#lib/machinery/json-value.ts';

/** Objects of one resource that pods of this node refer to. */
export interface ReferencedObjectsOptions<T> {
  readonly clock: Clock;
  /** The names in the pod's namespace that a pod refers to. */
  names(pod: Pod): readonly string[];
  /** Undefined where the object does not exist. With `cached` an answer that is seconds old will do. Throws where the server cannot say. */
  get(namespace: string, name: string, cached: boolean): Promise<T | undefined>;
  /** Milliseconds that an answer is good for, as the Node's annotation `node.alpha.kubernetes.io/ttl` says; undefined without one. */
  ttl(): number | undefined;
}

/** Milliseconds that an answer is good for where the Node does not say. */
const DEFAULT_TTL = 60_000;

interface Answer<T> {
  readonly object: T | undefined;
  /** Monotonic milliseconds: a clock that is set back keeps no old answer. */
  readonly at: number;
}

interface Item<T> {
  references: number;
  answer: Answer<T> | undefined;
  /** The request under way, which later readers wait for. */
  pending: Promise<T | undefined> | undefined;
}

/**
 * Gets objects by their name while pods refer to them (upstream: cacheBasedManager with a TTL store). Upstream's default holds a watch for each object;
 * a node here holds none, because a watch costs a function that waits. A change reaches a pod within a sync and the TTL.
 */
export class ReferencedObjects<T extends { readonly metadata: ObjectMeta }> {
  readonly #options: ReferencedObjectsOptions<T>;
  readonly #items = new Map<string, Item<T>>();
  /** By the pod's uid: the keys that it refers to. */
  readonly #pods = new Map<string, ReadonlySet<string>>();

  constructor(options: ReferencedObjectsOptions<T>) {
    this.#options = options;
  }

  /** Counts the pod's references. Objects that it refers to newly are fetched again at the next `get`. */
  registerPod(pod: Pod): void {
    const keys = new Set(this.#options.names(pod).map((name) => keyOf(pod.metadata.namespace ?? '', name)));
    const uid = pod.metadata.uid ?? '';
    const before = this.#pods.get(uid) ?? new Set<string>();
    this.#pods.set(uid, keys);
    for (const key of keys) if (!before.has(key)) this.#add(key);
    for (const key of before) if (!keys.has(key)) this.#remove(key);
  }

  /** Gives the pod's references up. An object without references is forgotten. */
  unregisterPod(pod: Pod): void {
    const uid = pod.metadata.uid ?? '';
    const keys = this.#pods.get(uid) ?? new Set<string>();
    this.#pods.delete(uid);
    for (const key of keys) this.#remove(key);
  }

  /** The object; undefined where it does not exist. Throws where no registered pod refers to it, or where it was never had and the server cannot say. */
  async get(namespace: string, name: string): Promise<T | undefined> {
    const item = this.#items.get(keyOf(namespace, name));
    if (item === undefined)
      throw new Error(`object ${JSON.stringify(namespace)}/${JSON.stringify(name)} not registered`);
    if (item.answer?.object !== undefined && this.#isFresh(item.answer)) return item.answer.object;
    item.pending ??= this.#fetch(namespace, name, item);
    return item.pending;
  }

  /** Takes the versions that objects have now, by `namespace/name`: those of another version are fetched again at their next `get`. */
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
      return before.object; // an object that was had stays usable while the server is away
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

/** A server behind another one may answer with an older object. */
function isOlder<T extends { readonly metadata: ObjectMeta }>(object: T, before: T | undefined): boolean {
  return before !== undefined && versionOf(object) < versionOf(before);
}

const versionOf = ({ metadata }: { readonly metadata: ObjectMeta }): bigint =>
  /^\d+$/.test(metadata.resourceVersion ?? '') ? BigInt(metadata.resourceVersion ?? '') : 0n;

/** Milliseconds of the Node's annotation for the TTL; undefined where it has none that is a number. */
export function objectTTL(annotations: Readonly<Record<string, string>> | undefined): number | undefined {
  const text = annotations?.['node.alpha.kubernetes.io/ttl'] ?? '';
  return /^[+-]?\d+$/.test(text) ? Number(text) * 1000 : undefined;
}
