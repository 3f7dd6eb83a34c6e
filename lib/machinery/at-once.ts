/** Lets so many pieces of work run at once; others wait, and begin in the order in which they came. */
export class AtOnce {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The pieces of work that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** The outcome of `work`, which begins at once if there is room. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift(); // takes the place of this one
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
