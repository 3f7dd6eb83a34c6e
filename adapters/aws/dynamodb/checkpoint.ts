import { forEachAtOnce } from '#lib/client/controller/for-each.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { PlacesFolded } from '#lib/storage/places-folded.ts';
import { isRetained } from '#lib/storage/retention.ts';
import type { Version } from '#lib/storage/sequence.ts';
import type { Chunks } from './chunks.ts';
import { type Entry, entryChanges } from './entry.ts';
import { enter, placesOf } from './index-entries.ts';
import { type Partitions, position, text } from './layout.ts';
import type { Log } from './log.ts';
import { born, type Marks } from './marks.ts';
import type { Table } from './port.ts';
import type { FinalState, State } from './state.ts';

const STEP_ENTRIES = 200;
/** A step folds complete entries until their bodies reach this many bytes. */
const STEP_BYTES = 16 * 1024 * 1024;
const PARALLEL_PUTS = 8;
const DROP_PAGE = 100;
const PARALLEL_DROPS = 8;
const NOWHERE: ReadonlySet<string> = new Set();

interface Folded {
  state: FinalState;
  readonly places: PlacesFolded;
}

/** Folds a log into its state and drops old entries. Any number of processes may do so concurrently. */
export class Checkpoint {
  readonly #parts: { table: Table; log: Log; state: State; marks: Marks; chunks: Chunks };
  readonly #clock: Clock;
  readonly #where: Partitions;
  readonly #retention: number;
  /** The commit time of the oldest entry seen. No entry can be dropped while this one is retained. */
  #oldest = 0;

  constructor(
    parts: { table: Table; log: Log; state: State; marks: Marks; chunks: Chunks },
    { clock, where, retention }: { clock: Clock; where: Partitions; retention: number },
  ) {
    this.#parts = parts;
    this.#clock = clock;
    this.#where = where;
    this.#retention = retention;
  }

  /** Moves the watermark to `target` or beyond, but only after each step's states are acknowledged. */
  async advance(target: Version): Promise<Version> {
    const { log, marks } = this.#parts;
    let watermark = born(await marks.watermark());
    while (watermark < target) {
      const { entries } = await log.after(watermark, { limit: STEP_ENTRIES, consistent: true });
      const { folded, last } = await this.#fold(entries);
      await forEachAtOnce(PARALLEL_PUTS, folded, (one) => this.#put(one));
      watermark = (await marks.moveWatermark(watermark, last)) ? last : born(await marks.watermark());
    }
    return watermark;
  }

  async #fold(entries: readonly Entry[]): Promise<{ folded: Folded[]; last: Version }> {
    const { chunks } = this.#parts;
    const all = new Map<string, Folded>();
    let bytes = 0;
    let last = 0;
    for (const entry of entries) {
      if (entry.chunks !== undefined) await chunks.keep(entry.chunks.at, entry.chunks.count);
      for (const change of await entryChanges(entry, chunks)) {
        const { key, version, type, body, previous } = change;
        const isGone = type === 'DELETED';
        const places = all.get(key)?.places ?? new PlacesFolded(previous ? placesOf(key, previous) : NOWHERE);
        places.take(isGone ? NOWHERE : placesOf(key, change));
        all.set(key, { places, state: { key, version, ...(isGone ? {} : { body }) } });
        bytes += body.length;
      }
      last = entry.last;
      if (bytes >= STEP_BYTES) break;
    }
    return { folded: [...all.values()], last };
  }

  /**
   * Adds an object's index entries before its state is stored, and removes old ones afterwards. No folded state lacks its index entries.
   */
  async #put({ state, places }: Folded): Promise<void> {
    const { table } = this.#parts;
    const { key, version } = state;
    for (const place of places.added) await enter(table, { place, key }, { version });
    await this.#parts.state.put(state);
    for (const place of places.gone) await enter(table, { place, key }, { version, ends: this.#clock });
  }

  /**
   * Deletes entries, oldest first. A deleted entry is older than the retention, and no position of it is above the watermark or any cursor.
   * The last entry always stays, so an empty tail always means the head.
   */
  async drop(watermark: Version): Promise<void> {
    if (this.#isRetained(this.#oldest)) return;
    const { log, marks } = this.#parts;
    const bound = Math.min(watermark, ...(await marks.cursors()).map((cursor) => cursor.version));
    for (;;) {
      const { entries, more } = await log.oldest(DROP_PAGE);
      const droppable = entries.slice(0, -1);
      const keepFrom = droppable.findIndex((entry) => entry.last > bound || this.#isRetained(entry.committed));
      const old = keepFrom < 0 ? droppable : droppable.slice(0, keepFrom);
      // Entries may be deleted in any order. A reader at such a gap gets Expired, just as it would after the next drop.
      await forEachAtOnce(PARALLEL_DROPS, old, (entry) => this.#delete(entry));
      if (keepFrom >= 0 || !more || old.length === 0) {
        this.#oldest = entries[old.length]?.committed ?? 0;
        return;
      }
    }
  }

  #isRetained(committed: number): boolean {
    return isRetained(committed, { now: this.#clock.now(), retention: this.#retention });
  }

  /** Deletes the chunks before the entry. After a crash in between, the next drop finds the entry again. */
  async #delete(entry: Entry): Promise<void> {
    const { table, chunks } = this.#parts;
    if (entry.chunks !== undefined) await chunks.delete(entry.chunks.at);
    await table.delete({ Key: { pk: text(this.#where.log), sk: text(position(entry.first)) } });
  }
}
