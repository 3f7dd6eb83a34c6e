import type { Clock } from '#lib/machinery/clock.ts';
import type { Frame } from './frame.ts';

/** The time in ms after which no more frames of a stream arrive. */
const KEPT = 60_000;
const MAX_KEPT = 4096;

/** Stores how streams ended, to answer late and repeated frames. The peer may have missed the final answer. */
export class FinishedStreams {
  readonly #clock: Clock;
  readonly #lastWords = new Map<number, { readonly frame: Frame; readonly until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(stream: number, frame: Frame): void {
    const now = this.#clock.monotonic();
    for (const [id, { until }] of this.#lastWords) {
      if (until > now && this.#lastWords.size < MAX_KEPT) break;
      this.#lastWords.delete(id);
    }
    this.#lastWords.set(stream, { frame, until: now + KEPT });
  }

  /** Returns the answer to a frame of a finished stream. Undefined for an unknown stream. */
  lastWord(stream: number): Frame | undefined {
    return this.#lastWords.get(stream)?.frame;
  }
}
