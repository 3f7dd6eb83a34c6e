import type { Narrowing, StoredObject } from '../storage.ts';
import type { SortedMap } from './sorted-map.ts';
import { SummaryIndex } from './summary-index.ts';
import type { View } from './view.ts';

/** The maximum number of label keys with an index, and the number of lists with a label after which it gets one. */
const LABELS = 4;
const ASKED = 3;
const REMEMBERED = 64;
/** If a label value matches more than this share of all objects, a full scan is as fast. */
const SELECTIVE = 0.25;

/** The indexes of a replica, built on demand. There are few indexed fields, and only internal callers select by them. */
export class Indexes {
  readonly #fields = new Map<string, SummaryIndex>();
  readonly #labels = new Map<string, SummaryIndex>();
  readonly #asked = new Map<string, number>();

  /** The objects with that value; undefined if a full scan is better. */
  view(where: Narrowing, objects: SortedMap<StoredObject>): View | undefined {
    const index = 'field' in where ? this.#ofField(where, objects) : this.#ofLabel(where, objects);
    if (index === undefined) return undefined;
    if ('label' in where && index.count(where.value) > objects.size * SELECTIVE) return undefined;
    return index.view(where.value, objects);
  }

  replace(key: string, before: StoredObject | undefined, after: StoredObject | undefined): void {
    for (const index of this.#fields.values()) index.replace(key, before, after);
    for (const index of this.#labels.values()) index.replace(key, before, after);
  }

  clear(): void {
    this.#fields.clear();
    this.#labels.clear();
    this.#asked.clear();
  }

  #ofField(where: Extract<Narrowing, { field: string }>, objects: SortedMap<StoredObject>): SummaryIndex {
    const index = this.#fields.get(where.field) ?? new SummaryIndex(where, objects);
    this.#fields.set(where.field, index);
    return index;
  }

  /** Replaces the index of the least recently requested label. */
  #ofLabel(where: Extract<Narrowing, { label: string }>, objects: SortedMap<StoredObject>) {
    const { label } = where;
    const held = this.#labels.get(label);
    if (held === undefined && !this.#isDue(label)) return undefined;
    const index = held ?? new SummaryIndex(where, objects);
    this.#labels.delete(label);
    this.#labels.set(label, index);
    const [oldest] = this.#labels.keys();
    if (this.#labels.size > LABELS && oldest !== undefined) this.#labels.delete(oldest);
    return index;
  }

  #isDue(label: string): boolean {
    const times = (this.#asked.get(label) ?? 0) + 1;
    if (this.#asked.size >= REMEMBERED) this.#asked.clear();
    if (times < ASKED) this.#asked.set(label, times);
    else this.#asked.delete(label);
    return times >= ASKED;
  }
}
