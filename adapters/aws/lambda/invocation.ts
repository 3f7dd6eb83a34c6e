import type { Writable } from 'node:stream';

/** A running invocation: it signals a disconnected client and the end of its time. */
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

  /** Few requests use the signal, so the timer starts only with the first use. */
  get signal(): AbortSignal {
    if (this.#timer !== undefined) return this.#ending.signal;
    const end = (): void => this.#ending.abort();
    this.#timer = setTimeout(end, this.#milliseconds);
    this.#stream.once('close', end).once('error', end);
    if (this.#stream.destroyed) end();
    return this.#ending.signal;
  }

  /** Clears the timer: an environment that was frozen must not find an old one. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
