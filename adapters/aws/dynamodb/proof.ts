import type { Clock } from '#lib/machinery/clock.ts';
import type { Version } from '#lib/storage/sequence.ts';

/** A moment on both clocks: a suspended machine may stop one of them, an adjusted clock the other. */
export interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

/** The present moment by both clocks, in milliseconds. */
export const momentOf = (clock: Clock): Moment => ({ wall: clock.now(), monotonic: clock.monotonic() });

/**
 * A process's knowledge of a log's head: `end` is the last position of a whole entry that it saw, and at `provenAt`
 * every position behind the end it then had was vacant. As positions fill in order, those behind a later end were
 * vacant too; and as an entry outlives its retention, none of them can have been written and dropped while the proof is
 * young.
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

  /** A whole entry that ends here was seen. */
  saw(end: Version): void {
    if (this.#end === undefined || end > this.#end) this.#end = end;
  }

  /** Nothing was behind `end` at a moment that is not before `at`. */
  prove(end: Version, at: Moment): void {
    this.saw(end);
    if (this.#provenAt === undefined || at.monotonic >= this.#provenAt.monotonic) this.#provenAt = at;
  }

  /** The moment of the proof while it may still be written under; undefined when it is too old by either clock. */
  fresh(): Moment | undefined {
    const at = this.#provenAt;
    if (at === undefined) return undefined;
    const wall = this.#clock.now() - at.wall;
    const monotonic = this.#clock.monotonic() - at.monotonic;
    return wall >= 0 && wall < this.#maxAge && monotonic < this.#maxAge ? at : undefined;
  }

  /** Forgets everything: what was seen may have been dropped since. */
  reset(): void {
    this.#end = undefined;
    this.#provenAt = undefined;
  }
}
