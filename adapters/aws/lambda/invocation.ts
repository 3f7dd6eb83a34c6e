import type { Writable } from 'node:stream';

/** A running invocation. Its signal aborts when the client disconnects or the time runs out. */
export class Invocation {
  readonly #stream: Pick<Writable, 'once' | 'destroyed'>;
  readonly #milliseconds: number;
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** `milliseconds` is the time after which long-running work ends. */
  constructor(stream: Pick<Writable, 'once' | 'destroyed'>, milliseconds: number) {
    this.#stream = stream;
    this.#milliseconds = Math.max(0, milliseconds);
  }

  /** Starts the timer on first use, because few requests use the signal. */
  get signal(): AbortSignal {
    if (this.#timer !== undefined) return this.#ending.signal;
    const end = (): void => this.#ending.abort();
    this.#timer = setTimeout(end, this.#milliseconds);
    this.#stream.once('close', end).once('error', end);
    if (this.#stream.destroyed) end();
    return this.#ending.signal;
  }

  /** Clears the timer, so that it does not fire after the environment was frozen and resumed. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
