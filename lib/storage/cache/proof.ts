import type { Clock } from '#lib/machinery/clock.ts';
import type { Version } from '../sequence.ts';

/** A moment on both clocks. The monotonic clock may stop while a machine is frozen, and the wall clock may be set back. */
export interface Instant {
  readonly wall: number;
  readonly monotonic: number;
  /** A number that grows with every Instant of the process, because clock readings may be equal. */
  readonly order: number;
}

interface Mark extends Instant {
  readonly head: Version;
}

/** Tracks when the head was proven. Every change after a proven head was committed after that proof began. */
export class Proof {
  readonly #clock: Clock;
  readonly #retention: number;
  #last: Instant | undefined;
  #marks: Mark[] = [];
  #moments = 0;

  constructor(clock: Clock, retention: number) {
    this.#clock = clock;
    this.#retention = retention;
  }

  now(): Instant {
    return { wall: this.#clock.now(), monotonic: this.#clock.monotonic(), order: ++this.#moments };
  }

  /** Records that `head` was the head at some moment after `started`. */
  record(head: Version, started: Instant): void {
    if (!this.isSince(started)) this.#last = started;
    const newest = this.#marks.at(-1);
    if (newest === undefined || started.monotonic - newest.monotonic > this.#retention / 64) {
      this.#marks.push({ ...started, head });
    }
  }

  /** Whether the head was proven at some moment after the given one. */
  isSince({ order }: Instant): boolean {
    return this.#last !== undefined && this.#last.order > order;
  }

  /** The age in ms of the last proof, counted from its start. */
  age(): number {
    return this.#last === undefined ? Number.POSITIVE_INFINITY : this.#since(this.#last);
  }

  /** Whether this version was certainly committed within the last half of the retention, so that the log still has it. */
  isYoung(version: Version): boolean {
    while (this.#marks[0] !== undefined && this.#since(this.#marks[0]) > this.#retention / 2) this.#marks.shift();
    const [oldest] = this.#marks;
    return oldest !== undefined && version > oldest.head;
  }

  clear(): void {
    this.#last = undefined;
    this.#marks = [];
  }

  /**
   * A wall clock that was set back counts as elapsed time too, because the log may have dropped entries with later times (`isRetained`).
   */
  #since({ wall, monotonic }: Omit<Instant, 'order'>): number {
    return Math.max(Math.abs(this.#clock.now() - wall), this.#clock.monotonic() - monotonic);
  }
}
