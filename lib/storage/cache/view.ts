import { readable } from '../damage.ts';
import { compareKeys } from '../keys.ts';
import type { Version } from '../sequence.ts';
import type { ListPage, ListRequest, Narrowing, StoredObject } from '../storage.ts';
import type { SortedMap } from './sorted-map.ts';
import { valueAt } from './value-at.ts';

/** All objects at one version. */
export interface View {
  get(key: string): StoredObject | undefined;
  /** The keys that begin with `prefix` and come after `after`, in order. */
  keys(prefix: string, after?: string): Iterable<string>;
  count(prefix: string, after?: string): number;
}

/** The objects before the changes that `undo` reverts. */
export class PastView implements View {
  readonly #now: SortedMap<StoredObject>;
  readonly #undo: ReadonlyMap<string, StoredObject | undefined>;

  constructor(now: SortedMap<StoredObject>, undo: ReadonlyMap<string, StoredObject | undefined>) {
    this.#now = now;
    this.#undo = undo;
  }

  get(key: string): StoredObject | undefined {
    return this.#undo.has(key) ? this.#undo.get(key) : this.#now.get(key);
  }

  *keys(prefix: string, after?: string): Generator<string> {
    const gone = this.#changed(prefix, after).filter((key) => this.#undo.get(key) !== undefined && !this.#now.has(key));
    gone.sort(compareKeys);
    let next = 0;
    for (const key of this.#now.keys(prefix, after)) {
      for (let other = gone[next]; other !== undefined && compareKeys(other, key) < 0; other = gone[++next])
        yield other;
      if (this.get(key) !== undefined) yield key;
    }
    yield* gone.slice(next);
  }

  count(prefix: string, after?: string): number {
    let count = this.#now.count(prefix, after);
    for (const key of this.#changed(prefix, after)) {
      count += Number(this.#undo.get(key) !== undefined) - Number(this.#now.has(key));
    }
    return count;
  }

  #changed(prefix: string, after: string | undefined): string[] {
    const inRange = (key: string) => key.startsWith(prefix) && (after === undefined || compareKeys(key, after) > 0);
    return [...this.#undo.keys()].filter(inRange);
  }
}

/**
 * Collects one page of a list. As upstream, a page ends at the limit if more keys follow, matching or not. Throws if a damaged object is
 * not left out. Does not report objects that are left out.
 */
export function collect(view: View, request: ListRequest, version: Version): ListPage {
  const { prefix, afterKey, limit, matches, leaveOut } = request;
  const objects: StoredObject[] = [];
  let last = '';
  for (const key of view.keys(prefix, afterKey)) {
    if (limit > 0 && objects.length === limit) {
      const page = { objects, version, nextAfter: last };
      return matches === undefined ? { ...page, remaining: view.count(prefix, last) } : page;
    }
    const found = view.get(key);
    const object = leaveOut !== undefined && found?.damage !== undefined ? undefined : readable(found);
    if (object !== undefined && (matches === undefined || matches(object))) objects.push(object);
    last = key;
  }
  return { objects, version };
}

/** Like `collect`, but from a stream. The number of remaining objects is unknown. */
export async function collectStream(
  batches: AsyncIterable<readonly StoredObject[]>,
  { limit, matches }: ListRequest,
  version: Version,
): Promise<ListPage> {
  const found: StoredObject[] = [];
  let last = '';
  for await (const batch of batches) {
    for (const object of batch) {
      if (limit > 0 && found.length === limit) return { objects: found, version, nextAfter: last };
      if (matches === undefined || matches(object)) found.push(object);
      last = object.key;
    }
  }
  return { objects: found, version };
}

/** A list's selector combined with a required value. */
export function matchingWhere(
  where: Narrowing,
  matches: NonNullable<ListRequest['matches']> = () => true,
): NonNullable<ListRequest['matches']> {
  return (object) => valueAt(where, object) === where.value && matches(object);
}

const BATCH = 500;

/** Yields the matching objects in batches. Tests an object when its batch is requested. */
export async function* matching(
  batches: AsyncIterable<readonly StoredObject[]>,
  matches: ListRequest['matches'],
): AsyncGenerator<readonly StoredObject[], void> {
  for await (const batch of batches) yield matches === undefined ? batch : batch.filter(matches);
}

/** Yields the objects of the batches one by one. */
export async function* each(batches: AsyncIterable<readonly StoredObject[]>): AsyncGenerator<StoredObject, void> {
  for await (const batch of batches) yield* batch;
}

/** Splits a list into batches. */
export async function* batchesOf(objects: readonly StoredObject[]): AsyncGenerator<readonly StoredObject[], void> {
  for (let i = 0; i < objects.length; i += BATCH) yield objects.slice(i, i + BATCH);
}
