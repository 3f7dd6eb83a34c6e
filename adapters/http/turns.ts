/** Streams that write in one turn of the event loop. */
const SLICE = 8;

/**
 * Streams of events write a few in each turn of the event loop: a turn sends what the one before has written. So the first of
 * many watchers need not wait until all have been served, nor do requests that come meanwhile.
 */
export class Turns {
  #waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(this.#run);
    });
  }

  readonly #run = (): void => {
    const rest = this.#waiting.splice(SLICE);
    const slice = this.#waiting;
    this.#waiting = rest;
    for (const resolve of slice) resolve();
    if (rest.length > 0) setImmediate(this.#run);
  };
}
