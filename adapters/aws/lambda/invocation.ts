import type { Writable } from 'node:stream';

/** A running invocation: it tells when the client is gone, and when its time is over. */
export class Invocation {
  readonly #stream: Pick<Writable, 'once' | 'destroyed'>;
  readonly #milliseconds: number;
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** `milliseconds`: after so long what lasts is ended. */
  constructor(stream: Pick<Writable, 'once' | 'destroyed'>, milliseconds: number) {
    this.#stream = stream;
    this.#milliseconds = Math.max(0, milliseconds);
  }

  /** Few requests ask; only for them a timer runs. */
  get signal(): AbortSignal {
    if (this.#timer !== undefined) return this.#ending.signal;
    const end = (): void => this.#ending.abort();
    this.#timer = setTimeout(end, this.#milliseconds);
    this.#stream.once('close', end).once('error', end);
    if (this.#stream.destroyed) end();
    return this.#ending.signal;
  }

  /** An environment that is frozen shall find no timer of before. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
