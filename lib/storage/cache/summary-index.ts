import { compareKeys } from '../keys.ts';
import type { Narrowing, StoredObject } from '../storage.ts';
import type { SortedMap } from './sorted-map.ts';
import { valueAt } from './value-at.ts';
import type { View } from './view.ts';

/** Indexes the keys of a replica's objects by one summary value. Objects without the value are not in the index. */
export class SummaryIndex {
  readonly #place: Narrowing;
  readonly #keysOf = new Map<string, Set<string>>();

  constructor(place: Narrowing, objects: SortedMap<StoredObject>) {
    this.#place = place;
    for (const key of objects.keys('')) this.replace(key, undefined, objects.get(key));
  }

  /** Adds, removes or replaces an object. */
  replace(key: string, before: StoredObject | undefined, after: StoredObject | undefined): void {
    const [old, now] = [valueAt(this.#place, before), valueAt(this.#place, after)];
    if (old === now) return;
    if (old !== undefined) this.#remove(old, key);
    if (now === undefined) return;
    const keys = this.#keysOf.get(now) ?? new Set();
    this.#keysOf.set(now, keys.add(key));
  }

  /** The number of objects with the value. */
  count(value: string): number {
    return this.#keysOf.get(value)?.size ?? 0;
  }

  /** A view of only the objects with the value. */
  view(value: string, objects: SortedMap<StoredObject>): View {
    const keys = (prefix: string, after = ''): string[] =>
      [...(this.#keysOf.get(value) ?? [])]
        .filter((key) => key.startsWith(prefix) && (after === '' || compareKeys(key, after) > 0))
        .sort(compareKeys);
    return { get: (key) => objects.get(key), keys, count: (prefix, after) => keys(prefix, after).length };
  }

  #remove(value: string, key: string): void {
    const keys = this.#keysOf.get(value);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysOf.delete(value);
  }
}
