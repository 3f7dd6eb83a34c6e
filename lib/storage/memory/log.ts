import { ownersIn } from '../dependents.ts';
import { compareKeys } from '../keys.ts';
import { isRetained, type RetentionAt } from '../retention.ts';
import { type Change, nextEpoch, type Version } from '../sequence.ts';

/** A committed entry. An empty entry takes one position. */
export interface Entry {
  readonly first: Version;
  readonly last: Version;
  readonly nonce: string;
  readonly time: number;
  readonly changes: readonly Change[];
}

const NOBODY: ReadonlySet<string> = new Set();

/** The data of one sequence: consecutive entries, at least one, and the state folded from them. */
export class MemoryLog {
  watermark: Version;
  readonly items = new Map<string, { readonly version: Version; readonly body: Uint8Array }>();
  /** The uids of each item's owners. */
  readonly owners = new Map<string, ReadonlySet<string>>();
  readonly cursors = new Map<string, Version>();
  #entries: Entry[];

  constructor(now: number) {
    this.#entries = [birth(1, now)];
    this.watermark = 1;
  }

  /** An independent copy. */
  fork(): MemoryLog {
    const fork = new MemoryLog(0);
    fork.#entries = [...this.#entries];
    fork.watermark = this.watermark;
    for (const [key, item] of this.items) fork.items.set(key, item);
    for (const [key, owners] of this.owners) fork.owners.set(key, owners);
    for (const [reader, version] of this.cursors) fork.cursors.set(reader, version);
    return fork;
  }

  get head(): Version {
    return this.#entries.at(-1)?.last ?? 0;
  }

  /** The position before the first held entry. */
  get floor(): Version {
    return (this.#entries[0]?.first ?? 1) - 1;
  }

  /** The index of the entry that contains `version`, or of the first one after it. */
  indexOf(version: Version): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.last ?? 0) < version) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  entryAt(version: Version): Entry | undefined {
    return this.#entries[this.indexOf(version)];
  }

  *entriesBehind(after: Version): Generator<Entry> {
    for (let i = this.indexOf(after + 1); i < this.#entries.length; i++) {
      const entry = this.#entries[i];
      if (entry !== undefined) yield entry;
    }
  }

  push(entry: Entry): void {
    this.#entries.push(entry);
  }

  /** Folds all entries into the state. */
  fold(): void {
    for (const { changes } of this.entriesBehind(this.watermark)) {
      for (const change of changes) {
        const { key, type, version, body } = change;
        this.owners.set(key, type === 'DELETED' ? NOBODY : ownersIn(change));
        if (type === 'DELETED') this.items.delete(key);
        else this.items.set(key, { version, body });
      }
    }
    this.watermark = this.head;
  }

  /** Drops old entries that no cursor still needs, but never the last. */
  drop(at: RetentionAt): void {
    const bound = Math.min(this.watermark, ...this.cursors.values());
    const keep = this.#entries.findIndex((entry) => isRetained(entry.time, at) || entry.last > bound);
    this.#entries.splice(0, keep < 0 ? this.#entries.length - 1 : Math.min(keep, this.#entries.length - 1));
  }

  raiseEpoch(now: number): Version {
    this.fold();
    const first = nextEpoch(this.head);
    this.#entries = [birth(first, now)];
    this.watermark = first;
    for (const reader of this.cursors.keys()) this.cursors.set(reader, 0);
    return first;
  }

  keys(prefix: string, start: string): string[] {
    const inside = (key: string): boolean => key.startsWith(prefix) && compareKeys(key, start) >= 0;
    return [...this.items.keys()].filter(inside).sort(compareKeys);
  }
}

const birth = (first: Version, time: number): Entry => ({ first, last: first, nonce: 'birth', time, changes: [] });
