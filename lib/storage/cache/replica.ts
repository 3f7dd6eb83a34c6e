import type { Clock } from '#lib/machinery/clock.ts';
import { compareKeys } from '../keys.ts';
import type { Change, Sequence, Version } from '../sequence.ts';
import type { Narrowing, StoredObject } from '../storage.ts';
import { Indexes } from './indexes.ts';
import { type ChangeEvent, eventOf, Item, itemOf, type Summarize, sizeOf } from './item.ts';
import { type LogRead, readKey } from './log-reader.ts';
import { SortedMap } from './sorted-map.ts';
import { UndoRing } from './undo-ring.ts';
import type { View } from './view.ts';
import type { WatchHub } from './watch-hub.ts';

/** One key of a sequence that is not loaded, held for the duration of a mutation. */
interface PinnedKey {
  object: StoredObject | undefined;
  /** The position up to which `object` is valid. */
  at: Version;
}

/** The maximum number of cached reads. They serve requests in progress that may soon write the same key. */
const READ_KEYS = 64;

/** Details of the loaded objects. */
interface Attached {
  readonly bytes: number;
  /** The position up to which the objects include every change. */
  readonly at: Version;
  /** The keys of unreadable objects. */
  readonly damaged: Set<string>;
}

/** Consecutive changes of the log with the resulting objects. */
export interface Page {
  /** The position directly before the changes. */
  readonly after: Version;
  readonly changes: readonly Change[];
  /** The objects after the changes, if they are already built. */
  readonly objects?: readonly StoredObject[];
  /** The last position of the page, empty entries included. */
  readonly last: Version;
  /** The previous objects of watched changes while the replica is cold, by version. */
  readonly previous?: ReadonlyMap<Version, StoredObject | undefined>;
}

/**
 * A process's copy of a sequence: the position up to which it follows the log, and either every object (warm) or only those that mutations
 * hold (cold). Each change is applied once, in order, by one synchronous call.
 */
export class Replica {
  /** The last applied position; 0 while unknown. */
  head: Version = 0;
  ring = new UndoRing(0);
  #objects: SortedMap<StoredObject> | undefined;
  /** The keys of unreadable loaded objects. */
  #damaged: Set<string> = new Set();
  readonly #indexes = new Indexes();
  /** The position up to which the objects include every change. */
  #loadedAt: Version = 0;
  readonly #held = new Map<string, PinnedKey>();
  /** While cold: keys that were read recently and have not changed since. Each reading is valid up to `head` or later. */
  readonly #read = new Map<string, LogRead>();
  /** The complete objects of outlines whose bodies were read, by key. */
  readonly #wholes = new Map<string, StoredObject>();
  #objectBytes = 0;
  readonly #hub: WatchHub;
  readonly #clock: Clock;

  constructor(hub: WatchHub, clock: Clock) {
    this.#hub = hub;
    this.#clock = clock;
  }

  /** Every object, as of `head`; undefined while cold. */
  get loaded(): SortedMap<StoredObject> | undefined {
    return this.head >= this.#loadedAt ? this.#objects : undefined;
  }

  /** Whether objects are loaded at a position that the replica has not reached in the log yet. */
  get isCatchingUp(): boolean {
    return this.#objects !== undefined && this.head < this.#loadedAt;
  }

  get bytes(): number {
    return this.#objectBytes + this.ring.bytes;
  }

  /** The version after which every change is in the ring. */
  get floor(): Version {
    return this.loaded === undefined ? this.head : this.ring.floor;
  }

  /** The object at `head`: any key while warm, only held keys while cold. Valid if `knows` returns true. */
  lookup(key: string): StoredObject | undefined {
    const { loaded } = this;
    if (loaded === undefined) return this.#held.get(key)?.object;
    const object = loaded.get(key);
    return object && (this.whole(object) ?? object);
  }

  /** The object with its body; undefined for an outline whose body was not read. */
  readonly whole = (object: StoredObject): StoredObject | undefined => {
    if (object.outline !== true) return object;
    const known = this.#wholes.get(object.key);
    return known?.version === object.version ? known : undefined;
  };

  /** Replaces an outline with the complete object, if the version is the same. */
  complete(object: StoredObject): void {
    const outline = this.#objects?.get(object.key);
    if (outline?.version !== object.version || this.whole(outline) !== undefined) return;
    this.#wholes.set(object.key, object);
    this.#objectBytes += sizeOf(object);
  }

  /** The keys of unreadable loaded objects that begin with the prefix. */
  damagedUnder(prefix: string): string[] {
    return this.loaded === undefined || this.#damaged.size === 0
      ? []
      : [...this.#damaged].filter((key) => key.startsWith(prefix)).sort(compareKeys);
  }

  /** Replaces a damaged object that is readable again, if the version is the same. */
  mend(object: StoredObject): void {
    const known = this.#objects?.get(object.key);
    if (known?.version !== object.version || known.damage === undefined) return;
    this.#objects?.set(object.key, object);
    this.#indexes.replace(object.key, known, object);
    this.#objectBytes += sizeOf(object) - sizeOf(known);
    this.#damaged.delete(object.key);
  }

  /** The loaded objects with that value, from an index. Undefined while cold, or if an index does not help. */
  indexed(where: Narrowing): View | undefined {
    const { loaded } = this;
    return loaded && this.#indexes.view(where, loaded);
  }

  begin(head: Version): void {
    this.head = head;
  }

  /** Attaches a loaded state. `at` is not below `head`. */
  attach(objects: SortedMap<StoredObject>, { bytes, at, damaged }: Attached): void {
    this.#read.clear();
    this.#objects = objects;
    this.#damaged = damaged;
    this.#indexes.clear();
    this.#wholes.clear();
    this.#objectBytes = bytes;
    this.#loadedAt = at;
    this.ring = new UndoRing(at);
    // No held key or watcher needs the changes in between, and the objects include them.
    if (this.head === 0 || (this.#held.size === 0 && !this.#hub.isActive)) this.head = at;
  }

  /** Drops the objects. Still follows the log for the watchers. */
  detach(): void {
    this.#objects = undefined;
    this.#damaged = new Set();
    this.#indexes.clear();
    this.#wholes.clear();
    this.#objectBytes = 0;
    this.#loadedAt = 0;
    this.ring = new UndoRing(this.head);
    this.#read.clear();
  }

  /**
   * Caches a reading of a key while cold, so that a write of that key does not read it again. Moves the head to the reading's position if
   * no held key or watcher needs the changes in between. Returns whether that position is the head.
   */
  adopt(key: string, reading: LogRead): boolean {
    const { at } = reading;
    if (this.head === 0 || this.#objects !== undefined || at < this.head) return false;
    if (at > this.head && this.#held.size === 0 && !this.#hub.isActive) {
      this.head = at;
      this.ring = new UndoRing(at);
      this.#read.clear();
    }
    const [oldest] = this.#read.keys();
    if (this.#read.size >= READ_KEYS && oldest !== undefined) this.#read.delete(oldest);
    this.#read.set(key, reading);
    return at === this.head;
  }

  /** Forgets all states before `head`. */
  forgetPast(): void {
    this.ring = new UndoRing(this.head);
  }

  /** Forgets everything. */
  reset(): void {
    this.head = 0;
    this.detach();
    this.#held.clear();
  }

  /** Applies the changes after `head`. Ignores a page that begins after it. */
  apply({ after, changes, objects, last, previous }: Page): void {
    if (this.head === 0 || after > this.head) return;
    for (const [i, change] of changes.entries()) {
      if (change.version > this.head) this.#applyOne(change, objects?.[i] ?? itemOf(change), previous);
    }
    if (last > this.head) this.head = last;
  }

  #applyOne(change: Change, object: StoredObject, previous: Page['previous']): void {
    const { version, key } = change;
    this.head = version;
    this.#read.delete(key);
    let before = previous?.get(version);
    const held = this.#held.get(key);
    if (held !== undefined && version > held.at) {
      before ??= held.object;
      held.object = change.type === 'DELETED' ? undefined : object;
      held.at = version;
    }
    if (this.#objects === undefined || version <= this.#loadedAt) {
      if (this.#hub.isWatched(change)) this.#hub.dispatch(eventOf(change, object, before));
      return;
    }
    const replaced = this.#replace(this.#objects, object, change);
    const event = eventOf(change, object, replaced?.outline === true ? (before ?? replaced) : replaced);
    this.ring.push(event, this.#clock.monotonic());
    this.#hub.dispatch(event);
  }

  #replace(objects: SortedMap<StoredObject>, object: StoredObject, { key, type }: Change) {
    const outline = objects.get(key);
    const previous = outline && (this.whole(outline) ?? outline);
    this.#dropWhole(key);
    this.#indexes.replace(key, outline, type === 'DELETED' ? undefined : object);
    if (outline !== undefined) this.#objectBytes -= sizeOf(outline);
    this.#damaged.delete(key);
    if (type === 'DELETED') {
      objects.delete(key);
      return previous;
    }
    this.#objectBytes += sizeOf(object);
    objects.set(key, object);
    if (object.damage !== undefined) this.#damaged.add(key);
    return previous;
  }

  #dropWhole(key: string): void {
    const whole = this.#wholes.get(key);
    if (whole !== undefined) this.#objectBytes -= sizeOf(whole);
    this.#wholes.delete(key);
  }

  /** The changes whose previous objects `apply` needs for watchers and neither `previous` nor the replica contains. */
  unknownBefore({ changes, previous }: Page): Change[] {
    const isCold = this.loaded === undefined;
    return changes.filter((change) => {
      const { version, key } = change;
      if (version <= this.head || change.previous === undefined || previous?.has(version) === true) return false;
      if (this.#isUnread(this.#objects?.get(key), change.previous.version)) return true;
      return isCold && this.#hub.isWatched(change) && (this.#held.get(key)?.at ?? version) >= version;
    });
  }

  #isUnread(object: StoredObject | undefined, version: Version): boolean {
    return object?.version === version && this.whole(object) === undefined;
  }

  /** Whether `lookup` is valid for these keys. */
  knows(keys: ReadonlySet<string>): boolean {
    if (this.head === 0) return false;
    const { loaded } = this;
    if (loaded !== undefined) return [...keys].every((key) => this.#isWhole(loaded.get(key)));
    for (const key of keys) if ((this.#held.get(key)?.at ?? Number.POSITIVE_INFINITY) > this.head) return false;
    return true;
  }

  #isWhole(object: StoredObject | undefined): boolean {
    return object === undefined || this.whole(object) !== undefined;
  }

  /**
   * Reads a key so that `lookup` can return it. While cold, the key is held until `releaseAll`. While warm, this reads the body of an
   * outline. Returns the head from which the result is valid. Repeats the read until it is as new as `head`, so that no change is missed.
   * After a reset during the read, the key is not held, because the next head may be after changes that are never applied.
   */
  async hold(sequence: Sequence, key: string, summarize: Summarize): Promise<Version> {
    const known = this.#held.get(key);
    if (known !== undefined) return known.at;
    if (await this.#readBody(sequence, key, summarize)) return this.head;
    let reading = this.#unchanged(key) ?? (await readKey(sequence, key, summarize));
    while (reading.at < this.head) reading = await readKey(sequence, key, summarize);
    if (this.loaded !== undefined) {
      if (reading.object !== undefined) this.complete(reading.object);
    } else if (this.head !== 0) {
      this.#held.set(key, { ...reading });
    }
    return reading.at;
  }

  #unchanged(key: string): LogRead | undefined {
    const reading = this.#read.get(key);
    return reading && { ...reading, at: Math.max(reading.at, this.head) };
  }

  /** Reads the body of a loaded outline, unless the store has a newer one. */
  async #readBody(sequence: Sequence, key: string, summarize: Summarize): Promise<boolean> {
    const outline = this.loaded?.get(key);
    if (outline === undefined || this.whole(outline) !== undefined) return false;
    const { item } = await sequence.read(key);
    if (item?.version !== outline.version) return false;
    this.complete(new Item(key, item.version, item.body, summarize, item));
    return true;
  }

  releaseAll(): void {
    this.#held.clear();
  }

  /** The changes in memory after `version`, which is not below `floor`. */
  since(version: Version): ChangeEvent[] {
    return this.loaded === undefined ? [] : this.ring.since(version);
  }
}
