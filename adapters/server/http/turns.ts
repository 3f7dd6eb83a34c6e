/**
 * Lets a few callers continue in each turn of the event loop, in FIFO order. Event streams write in turns. Each turn sends the data that
 * the previous turn wrote. So neither the first of many watchers nor new requests have to wait for all other watchers.
 */
export class Turns {
  readonly #slice: number;
  readonly #atOnce: number;
  /** The number of callers that may continue in this turn without waiting. */
  #free: number;
  #isTurning = false;
  #waiting: (() => void)[] = [];

  /** `slice` is the number of callers that continue in one turn. `atOnce` is how many of them may continue without waiting. */
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
