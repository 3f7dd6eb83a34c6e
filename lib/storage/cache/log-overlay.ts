import { compareKeys } from '../keys.ts';
import type { Change, Sequence, Version } from '../sequence.ts';
import type { StoredObject } from '../storage.ts';
import { itemOf } from './item.ts';
import { readPrevious, readTail } from './log-reader.ts';
import { SortedMap } from './sorted-map.ts';

/** The state of a key at the overlay's version, according to the log. */
type Layer =
  /** The object after the last change up to the version. */
  | { readonly kind: 'latest'; readonly object: StoredObject | undefined }
  /** The first change after the version. Only the state before it is used, so its own body is not kept. */
  | { readonly kind: 'undone'; readonly change: Change };

/** Uses the log to correct checkpointed objects to one version. Rolls newer states back and older ones forward. */
export class LogOverlay {
  readonly #sequence: Sequence;
  readonly #version: Version;
  readonly #prefix: string;
  readonly #layers = new SortedMap<Layer>();
  #position: Version;

  /** `from` is the watermark of the checkpointed objects, which are at least as new. */
  constructor(sequence: Sequence, prefix: string, version: Version, from: Version) {
    this.#sequence = sequence;
    this.#prefix = prefix;
    this.#version = version;
    this.#position = Math.min(version, from);
  }

  /** Reads to the end of the log. Afterwards the overlay covers every object read before. Throws Expired. */
  async advance(): Promise<void> {
    for await (const page of readTail(this.#sequence, this.#position)) {
      for (const change of page.changes) if (change.key.startsWith(this.#prefix)) this.#add(change);
      this.#position = page.last;
    }
  }

  #add(change: Change): void {
    const { key, type } = change;
    if (change.version <= this.#version) {
      this.#layers.set(key, { kind: 'latest', object: type === 'DELETED' ? undefined : itemOf(change) });
    } else if (this.#layers.get(key)?.kind !== 'undone') {
      this.#layers.set(key, { kind: 'undone', change: { ...change, body: EMPTY } });
    }
  }

  /** The keys in the log after `after` and up to `end`, in order. */
  keys(after: string | undefined, end: string | undefined): string[] {
    const keys: string[] = [];
    for (const key of this.#layers.keys(this.#prefix, after)) {
      if (end !== undefined && compareKeys(key, end) > 0) break;
      keys.push(key);
    }
    return keys;
  }

  /** The object of a corrected key at the overlay's version. */
  async read(key: string): Promise<StoredObject | undefined> {
    const layer = this.#layers.get(key);
    return layer?.kind === 'undone' ? readPrevious(this.#sequence, layer.change) : layer?.object;
  }
}

const EMPTY = new Uint8Array();
