/**
 * A few go on in each turn of the event loop, first come first. Streams of events take turns to write: a turn sends what the one
 * before has written, so that the first of many watchers need not wait until all have been served, nor do requests that come
 * meanwhile.
 */
export class Turns {
  readonly #slice: number;
  #waiting: (() => void)[] = [];

  /** `slice`: how many go on in one turn. */
  constructor(slice: number) {
    this.#slice = slice;
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(this.#run);
    });
  }

  readonly #run = (): void => {
    const rest = this.#waiting.splice(this.#slice);
    const slice = this.#waiting;
    this.#waiting = rest;
    for (const resolve of slice) resolve();
    if (rest.length > 0) setImmediate(this.#run);
  };
}
