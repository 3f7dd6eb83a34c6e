import type { Clock } from '#lib/machinery/clock.ts';
import type { Frame } from './frame.ts';

/** Milliseconds after which nothing comes for a stream any more. */
const KEPT = 60_000;
const MAX_KEPT = 4096;

/** Remembers how streams ended, for frames that come late or again: the other end may not have heard the last word. */
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

  /** The answer to a frame of a stream that is over; undefined for one that is not known. */
  lastWord(stream: number): Frame | undefined {
    return this.#lastWords.get(stream)?.frame;
  }
}
