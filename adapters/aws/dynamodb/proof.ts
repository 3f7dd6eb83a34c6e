import type { Clock } from '#lib/machinery/clock.ts';
import type { Version } from '#lib/storage/sequence.ts';

/** A moment on both clocks. If a machine is suspended one clock may stop, and if its time is adjusted the other one changes. */
export interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

/** The current moment on both clocks, in milliseconds. */
export const momentOf = (clock: Clock): Moment => ({ wall: clock.now(), monotonic: clock.monotonic() });

/**
 * Tracks what a process knows about a log's head. `end` is the last position of a complete entry that it saw. At `provenAt`, every position
 * after the end known then was vacant. Positions fill in order, so those after a later end were vacant too. Entries are retained for longer
 * than a proof is valid, so none of them can have been written and dropped in the meantime.
 */
export class Proof {
  readonly #clock: Clock;
  readonly #maxAge: number;
  #end: Version | undefined;
  #provenAt: Moment | undefined;

  constructor(clock: Clock, maxAge: number) {
    this.#clock = clock;
    this.#maxAge = maxAge;
  }

  get end(): Version | undefined {
    return this.#end;
  }

  /** Records that a complete entry with this end was seen. */
  saw(end: Version): void {
    if (this.#end === undefined || end > this.#end) this.#end = end;
  }

  /** Records that no entry followed `end` at some moment at or after `at`. */
  prove(end: Version, at: Moment): void {
    this.saw(end);
    if (this.#provenAt === undefined || at.monotonic >= this.#provenAt.monotonic) this.#provenAt = at;
  }

  /** The moment of the proof while writes may rely on it. Undefined if it is too old on either clock. */
  fresh(): Moment | undefined {
    const at = this.#provenAt;
    if (at === undefined) return undefined;
    const wall = this.#clock.now() - at.wall;
    const monotonic = this.#clock.monotonic() - at.monotonic;
    return wall >= 0 && wall < this.#maxAge && monotonic < this.#maxAge ? at : undefined;
  }

  /** Resets the proof, because the entries seen may have been dropped since. */
  reset(): void {
    this.#end = undefined;
    this.#provenAt = undefined;
  }
}
