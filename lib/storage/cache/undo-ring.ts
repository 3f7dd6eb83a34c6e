import type { Version } from '../sequence.ts';
import type { StoredObject } from '../storage.ts';
import { type ChangeEvent, sizeOf } from './item.ts';
import { search } from './sorted-map.ts';

const MAX_AGE = 5 * 60_000;
const MAX_BYTES = 32 * 1024 * 1024;

interface Slot {
  readonly event: ChangeEvent;
  readonly at: number;
  readonly bytes: number;
}

/** The latest changes with the objects before them. They allow lists at past versions and watches that start in the past. */
export class UndoRing {
  /** The ring holds every change after this version. */
  floor: Version;
  bytes = 0;
  #slots: Slot[] = [];
  #first = 0;

  constructor(floor: Version) {
    this.floor = floor;
  }

  /** `now` is a monotonic time. */
  push(event: ChangeEvent, now: number): void {
    const { object, previous, change } = event;
    const before = previous === undefined ? 0 : sizeOf(previous);
    const bytes = sizeOf(object) + before + (change.previousBody?.length ?? 0);
    this.#slots.push({ event, at: now, bytes });
    this.bytes += bytes;
    this.#trim(now);
  }

  #trim(now: number): void {
    for (let slot = this.#slots[this.#first]; slot !== undefined; slot = this.#slots[this.#first]) {
      if (this.bytes <= MAX_BYTES && now - slot.at <= MAX_AGE) break;
      this.bytes -= slot.bytes;
      this.floor = slot.event.change.version;
      this.#first++;
    }
    if (this.#first * 2 <= this.#slots.length) return;
    this.#slots = this.#slots.slice(this.#first);
    this.#first = 0;
  }

  /** The changes after `version`, oldest first. */
  since(version: Version): ChangeEvent[] {
    return this.#slots.slice(this.#index(version)).map(({ event }) => event);
  }

  /** For each key that changed after `version`, its object at that version. */
  undo(version: Version): Map<string, StoredObject | undefined> {
    const before = new Map<string, StoredObject | undefined>();
    const end = this.#index(version);
    for (let i = this.#slots.length - 1; i >= end; i--) {
      const event = this.#slots[i]?.event;
      if (event !== undefined) before.set(event.change.key, event.previous);
    }
    return before;
  }

  #index(version: Version): number {
    const held = this.#slots.length - this.#first;
    const behind = (i: number) => (this.#slots[this.#first + i]?.event.change.version ?? 0) > version;
    return this.#first + search(held, behind);
  }
}
