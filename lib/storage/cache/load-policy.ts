import type { ListRequest, WatchRequest } from '../storage.ts';

/**
 * The part of a sequence that a caller is about to read: its head, one key, the results of an index, a key range, a whole type, the changes
 * of a few objects, or all changes.
 */
export type Use = 'head' | 'point' | 'indexed' | 'range' | 'type' | 'selected' | 'watch';

/** When a cache loads a sequence into memory that it can also read from the store. */
export type Loads =
  /** On the first list or watch, and on the third read of a key. For a long-lived process, or for objects that every request needs. */
  | 'readily'
  /**
   * On a watch without a field selector, on the second list of a whole type, and on the third read of a few keys if the sequence is small.
   */
  | 'sparingly'
  /**
   * Like `sparingly`, but single reads may load a larger sequence. Heartbeats change so often that reading one object means reading a long
   * log.
   */
  | 'as heartbeats';

/** The number of reads of a few keys after which a cold cache loads. `leftBehind` doubles it up to the second value. */
const POINTS = 3;
const MOST_POINTS = 48;
/** The number of lists of a whole type after which a sparing cache loads. */
const LISTS = 2;
/** The largest sequence in bytes that single reads may load: about 70 objects of 1 KB, a dozen read units. */
const SMALL = 128 * 1024;
/** The same limit for heartbeats: the Leases of 5,000 nodes. */
const HEARTBEATS = 8 * 1024 * 1024;
/** The largest sequence in bytes that a page of a list may load to count the remaining objects. */
export const PAGED = 2 * 1024 * 1024;

/** Decides from earlier reads how much of a sequence a read may load. */
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

  /** Counts a read. Returns the maximum number of bytes that it may load; 0 for none. */
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

  /**
   * Doubles the number of reads before the next load, because the loaded objects were read too rarely to be worth following their changes.
   */
  leftBehind(): void {
    if (this.#loads === 'readily') return;
    this.#points = 0;
    this.#needed = Math.min(2 * this.#needed, MOST_POINTS);
  }

  get #bound(): number {
    return this.#loads === 'as heartbeats' ? HEARTBEATS : SMALL;
  }
}

/** Classifies a list. The prefix of a whole type has three slashes (`keys.ts`). A page is a range. */
export function useOf({ prefix, limit = 0, where }: Pick<ListRequest, 'prefix' | 'where'> & { limit?: number }): Use {
  if (where !== undefined && 'field' in where) return 'indexed';
  return limit === 0 && prefix.split('/').length <= 4 ? 'type' : 'range';
}

/** Classifies a watch. A watch of one object, or of objects with one value, reads the previous state of each change individually. */
export const useOfWatch = ({ key, where }: Pick<WatchRequest, 'key' | 'where'>): Use =>
  key !== undefined || where !== undefined ? 'selected' : 'watch';
