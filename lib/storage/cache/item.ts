import { damaged, NO_SUMMARY } from '../damage.ts';
import type { StoreError } from '../errors.ts';
import type { Change, Summary, Version } from '../sequence.ts';
import type { StoredObject, WatchEvent } from '../storage.ts';

/** Reads the summary of an object from its stored JSON. */
export type Summarize = (body: Uint8Array) => Summary;
/** A watch event about an object. */
export type ChangeEvent = Exclude<WatchEvent, { readonly type: 'BOOKMARK' }>;

/**
 * The memory in bytes that an object takes in addition to its body: key, map entry, buffer, summary. The measured overhead of a 1 KB body
 * is 600 to 1,800 bytes.
 */
const OVERHEAD = 800;

type Marks = Pick<StoredObject, 'stale' | 'outline' | 'damage'>;

/** A stored object in the cache. Derived data is computed on demand. */
export class Item implements StoredObject {
  readonly key: string;
  readonly version: Version;
  readonly body: Uint8Array;
  readonly stale: boolean;
  readonly outline: boolean;
  readonly damage: StoreError | undefined;
  #known: Summary | Summarize;
  #derived: Map<string, Uint8Array> | undefined;

  constructor(key: string, version: Version, body: Uint8Array, summary: Summary | Summarize, marks: Marks = {}) {
    this.key = key;
    this.version = version;
    this.body = body;
    this.stale = marks.stale === true;
    this.outline = marks.outline === true;
    this.damage = marks.damage;
    this.#known = typeof summary === 'function' && this.damage !== undefined ? NO_SUMMARY : summary;
  }

  get summary(): Summary {
    if (typeof this.#known === 'function') this.#known = this.#summarized(this.#known);
    return this.#known;
  }

  /** Throws StoreError if the bytes are not JSON. */
  #summarized(summarize: Summarize): Summary {
    try {
      return summarize(this.body);
    } catch (error) {
      throw damaged(this.key, error);
    }
  }

  get views(): Map<string, Uint8Array> {
    this.#derived ??= new Map();
    return this.#derived;
  }
}

/** The bytes that an object takes in memory: its body and an estimated overhead. */
export const sizeOf = (object: StoredObject): number => object.body.length + OVERHEAD;

/** The object after a change. For DELETED, the last state. */
export const itemOf = (change: Change): Item =>
  new Item(change.key, change.version, change.body, pickSummary(change), change);

/** Copies the summary fields of a larger object. */
export const pickSummary = ({ labels, fields, generation, ownerReferences }: Summary): Summary => ({
  labels,
  fields,
  generation,
  ownerReferences,
});

/** The watch event of a change, with the previous state if known. */
export function eventOf(change: Change, object: StoredObject, previous: StoredObject | undefined): ChangeEvent {
  const { type } = change;
  return previous === undefined ? { type, object, change } : { type, object, previous, change };
}
