/**
 * A few go on in each turn of the event loop, first come first. Streams of events take turns to write: a turn sends what the one
 * before has written, so that the first of many watchers need not wait until all have been served, nor do requests that come
 * meanwhile.
 */
export class Turns {
  readonly #slice: number;
  readonly #atOnce: number;
  /** How many may still go on in this turn without waiting for the next. */
  #free: number;
  #isTurning = false;
  #waiting: (() => void)[] = [];

  /** `slice`: how many go on in one turn; `atOnce`: how many of them need not have waited. */
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
