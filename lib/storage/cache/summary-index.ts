import { compareKeys } from '../keys.ts';
import type { Narrowing, StoredObject } from '../storage.ts';
import type { SortedMap } from './sorted-map.ts';
import { valueAt } from './value-at.ts';
import type { View } from './view.ts';

/** The keys of a replica's objects by what their summaries have in one place; objects without it are under none. */
export class SummaryIndex {
  readonly #place: Narrowing;
  readonly #keysOf = new Map<string, Set<string>>();

  constructor(place: Narrowing, objects: SortedMap<StoredObject>) {
    this.#place = place;
    for (const key of objects.keys('')) this.replace(key, undefined, objects.get(key));
  }

  /** One object comes, goes, or comes in place of another. */
  replace(key: string, before: StoredObject | undefined, after: StoredObject | undefined): void {
    const [old, now] = [valueAt(this.#place, before), valueAt(this.#place, after)];
    if (old === now) return;
    if (old !== undefined) this.#remove(old, key);
    if (now === undefined) return;
    const keys = this.#keysOf.get(now) ?? new Set();
    this.#keysOf.set(now, keys.add(key));
  }

  /** How many objects have the value. */
  count(value: string): number {
    return this.#keysOf.get(value)?.size ?? 0;
  }

  /** The objects with that value alone. */
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
