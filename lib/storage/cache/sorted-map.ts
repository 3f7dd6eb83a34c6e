import { compareKeys } from '../keys.ts';

const CHUNK = 512;

/** A position between two keys: before `chunks[chunk][index]`. */
interface ChunkPosition {
  readonly chunk: number;
  readonly index: number;
}

/** A map whose keys are also sorted, in chunks. An insert moves at most one chunk, regardless of the map's size. */
export class SortedMap<V> {
  readonly #values = new Map<string, V>();
  readonly #chunks: string[][] = [];

  get size(): number {
    return this.#values.size;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  set(key: string, value: V): void {
    const known = this.#values.size;
    this.#values.set(key, value);
    if (this.#values.size !== known) this.#insert(key);
  }

  delete(key: string): void {
    if (!this.#values.delete(key)) return;
    const { chunk, index } = this.#locate((other) => compareKeys(other, key) >= 0);
    const keys = this.#chunks[chunk];
    keys?.splice(index, 1);
    if (keys?.length === 0) this.#chunks.splice(chunk, 1);
  }

  /** The keys that begin with `prefix` and come after `after`, in order. The map must not change meanwhile. */
  *keys(prefix: string, after?: string): Generator<string, void> {
    let { chunk, index } = this.#start(prefix, after);
    for (; chunk < this.#chunks.length; chunk++, index = 0) {
      const keys = this.#chunks[chunk] ?? [];
      for (; index < keys.length; index++) {
        const key = keys[index];
        if (key === undefined || !key.startsWith(prefix)) return;
        yield key;
      }
    }
  }

  /** The number of keys that `keys` yields. */
  count(prefix: string, after?: string): number {
    const start = this.#start(prefix, after);
    const end = this.#locate((key) => !key.startsWith(prefix) && compareKeys(key, prefix) > 0);
    if (start.chunk > end.chunk) return 0;
    let count = end.index - start.index;
    for (let chunk = start.chunk; chunk < end.chunk; chunk++) count += this.#chunks[chunk]?.length ?? 0;
    return Math.max(count, 0);
  }

  #start(prefix: string, after: string | undefined): ChunkPosition {
    if (after === undefined || compareKeys(after, prefix) < 0)
      return this.#locate((key) => compareKeys(key, prefix) >= 0);
    return this.#locate((key) => compareKeys(key, after) > 0);
  }

  #insert(key: string): void {
    const last = this.#chunks.length - 1;
    const found = this.#locate((other) => compareKeys(other, key) >= 0);
    const place = found.chunk > last && last >= 0 ? { chunk: last, index: this.#chunks[last]?.length ?? 0 } : found;
    const keys = this.#chunks[place.chunk];
    if (keys === undefined) {
      this.#chunks.push([key]);
      return;
    }
    keys.splice(place.index, 0, key);
    if (keys.length > CHUNK) this.#split(place);
  }

  /** Splits a full chunk in half. A full chunk that grows at its end stays full, so that loading in key order fills the chunks. */
  #split({ chunk, index }: ChunkPosition): void {
    const keys = this.#chunks[chunk] ?? [];
    const at = index === keys.length - 1 ? index : keys.length >> 1;
    this.#chunks.splice(chunk + 1, 0, keys.splice(at));
  }

  /** The first position whose key passes. `passes` must return false up to some key and true from there on. */
  #locate(passes: (key: string) => boolean): ChunkPosition {
    const chunks = this.#chunks;
    const chunk = search(chunks.length, (i) => passes(chunks[i]?.at(-1) ?? ''));
    const keys = chunks[chunk] ?? [];
    return { chunk, index: search(keys.length, (i) => passes(keys[i] ?? '')) };
  }
}

/** The first of `length` positions that passes. */
export function search(length: number, passes: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
