/**
 * Lets a few callers continue in each turn of the event loop, in FIFO order. Streams of events write in turns. Each turn sends what the
 * previous one wrote, so the first of many watchers need not wait for all others. Neither need new requests.
 */
export class Turns {
  readonly #slice: number;
  readonly #atOnce: number;
  /** How many may still continue in this turn without waiting for the next. */
  #free: number;
  #isTurning = false;
  #waiting: (() => void)[] = [];

  /** `slice` is how many continue in one turn. `atOnce` is how many of them may continue without waiting. */
  constructor({ slice, atOnce }: { readonly slice: number; readonly atOnce: number }) {
    this.#slice = slice;
    this.#atOnce = atOnce;
    this.#free = atOnce;
  }

  next(): Promise<void> {
    if (!this.#isTurning) setImmediate(this.#turn);
    this.#isTurning = true;
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free--;
    return Promise.resolve();
  }

  readonly #turn = (): void => {
    const rest = this.#waiting.splice(this.#slice);
    const slice = this.#waiting;
    this.#waiting = rest;
    this.#free = Math.max(0, this.#atOnce - slice.length);
    for (const resolve of slice) resolve();
    this.#isTurning = slice.length > 0;
    if (this.#isTurning) setImmediate(this.#turn);
  };
}
