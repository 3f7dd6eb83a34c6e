import type { ListRequest, WatchRequest } from '../storage.ts';

/**
 * The part of a sequence that a caller is about to read: its head, a key, what an index finds, a range of keys, a whole type, the
 * changes of a few objects, or all that changes.
 */
export type Use = 'head' | 'point' | 'indexed' | 'range' | 'type' | 'selected' | 'watch';

/** When a cache loads a sequence that it can also read from the store. */
export type Loads =
  /** With the first list or watch, and with the third read of a key: the process lives long, or every request needs these objects. */
  | 'readily'
  /** With a watch without a selector of fields, with the second list of a whole type, and with the third read of a few keys if the sequence is small. */
  | 'sparingly'
  /** As sparingly, but single reads load a larger sequence: objects change so often that a read of one reads a long log. */
  | 'as heartbeats';

/** Reads of a few keys that a cold cache serves before it loads, at first and at most. */
const POINTS = 3;
const MOST_POINTS = 48;
/** Lists of a whole type that a cold cache serves before it loads, where it loads sparingly. */
const LISTS = 2;
/** Bytes of a sequence that single reads may load: about 70 objects of 1 KB, a dozen read units. */
const SMALL = 128 * 1024;
/** The same of heartbeats: the Leases of 5,000 nodes. */
const HEARTBEATS = 8 * 1024 * 1024;
/** Bytes of a sequence that a page of a list may load to tell how many objects follow. */
export const PAGED = 2 * 1024 * 1024;

/** Decides how much of a sequence a read may load, from the reads before it. */
export class LoadPolicy {
  readonly #loads: Loads;
  #points = 0;
  #needed = POINTS;
  #lists = 0;

  constructor(loads: Loads) {
    this.#loads = loads;
  }

  get isSparing(): boolean {
    return this.#loads !== 'readily';
  }

  /** Counts a read. Answers the bytes that it may load at most: 0 is none. */
  bound(use: Use): number {
    if (use === 'watch') return Number.POSITIVE_INFINITY;
    if (this.#loads === 'readily') {
      const isSingle = use === 'head' || use === 'point';
      return !isSingle || ++this.#points >= this.#needed ? Number.POSITIVE_INFINITY : 0;
    }
    if (use === 'type' && ++this.#lists >= LISTS) return Number.POSITIVE_INFINITY;
    if (use === 'head' || use === 'indexed' || use === 'selected') return 0;
    return ++this.#points >= this.#needed ? this.#bound : 0;
  }

  /** Takes more reads to load again: the loaded objects were read so seldom that their changes cost more than themselves. */
  leftBehind(): void {
    if (this.#loads === 'readily') return;
    this.#points = 0;
    this.#needed = Math.min(2 * this.#needed, MOST_POINTS);
  }

  get #bound(): number {
    return this.#loads === 'as heartbeats' ? HEARTBEATS : SMALL;
  }
}

/** The use of a list: a prefix of a whole type has three slashes (`keys.ts`). A page is a range. */
export function useOf({ prefix, limit = 0, where }: Pick<ListRequest, 'prefix' | 'where'> & { limit?: number }): Use {
  if (where !== undefined && 'field' in where) return 'indexed';
  return limit === 0 && prefix.split('/').length <= 4 ? 'type' : 'range';
}

/** The use of a watch. A watch of one object, or of those with one value, reads the states before their changes one by one. */
export const useOfWatch = ({ key, where }: Pick<WatchRequest, 'key' | 'where'>): Use =>
  key !== undefined || where !== undefined ? 'selected' : 'watch';
