import type { Clock } from '#lib/machinery/clock.ts';
import type { ObjectStream } from '../storage.ts';

/** How long a size is taken for the present one, in milliseconds, and how many are remembered. */
const FRESH = 10 * 60_000;
const REMEMBERED = 64;

interface Size {
  readonly bytes: number;
  readonly at: number;
}

/** The bytes of the lists that were read from the store last, by prefix: nobody knows them before. */
export class ListSizes {
  readonly #clock: Clock;
  readonly #sizes = new Map<string, Size>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The bytes of bodies that were read of such a list last; undefined where none was read in the last ten minutes. */
  of(prefix: string): number | undefined {
    const known = this.#sizes.get(prefix);
    return known !== undefined && this.#clock.monotonic() - known.at < FRESH ? known.bytes : undefined;
  }

  /** The same batches, whose bytes are remembered, also where their reader leaves early: the list has at least so many. */
  async *measured(prefix: string, batches: ObjectStream['batches']): AsyncGenerator<Batch, void> {
    let bytes = 0;
    let isWhole = false;
    try {
      for await (const batch of batches) {
        for (const { body } of batch) bytes += body.length;
        yield batch;
      }
      isWhole = true;
    } finally {
      this.#remember(prefix, isWhole ? bytes : Math.max(bytes, this.of(prefix) ?? 0));
    }
  }

  #remember(prefix: string, bytes: number): void {
    this.#sizes.delete(prefix);
    this.#sizes.set(prefix, { bytes, at: this.#clock.monotonic() });
    const [oldest] = this.#sizes.keys();
    if (this.#sizes.size > REMEMBERED && oldest !== undefined) this.#sizes.delete(oldest);
  }
}

type Batch = ObjectStream['batches'] extends AsyncIterable<infer B> ? B : never;
