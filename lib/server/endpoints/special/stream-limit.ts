import { tooManyRequests } from '#lib/machinery/errors.ts';
import type { Handler } from '../filters/filter.ts';
import { measuredStream } from '../metrics/measured-stream.ts';

/**
 * The maximum number of open streams per user. It is far above the needs of people and log collectors, and far below the capacity of a
 * process.
 */
const MAX_STREAMS = 1000;

/** Counts the open streams of each user. As in upstream, Priority and Fairness does not cover them. */
export class StreamLimit {
  readonly #max: number;
  readonly #open = new Map<string, number>();

  constructor(max = MAX_STREAMS) {
    this.#max = max;
  }

  /** Acquires a stream for the user. The returned function releases it. Throws 429 if the user has reached the limit. */
  enter(user: string): () => void {
    const open = this.#open.get(user) ?? 0;
    if (open >= this.#max) throw tooManyRequests(`the user has ${open} streams open, and may have no more`, 1);
    this.#open.set(user, open + 1);
    return () => this.#leave(user);
  }

  #leave(user: string): void {
    const open = (this.#open.get(user) ?? 1) - 1;
    if (open === 0) this.#open.delete(user);
    else this.#open.set(user, open);
  }
}

/** Counts a stream of the user until the response has ended. */
export const limitStreams =
  (limit: StreamLimit, next: Handler): Handler =>
  async (context) => {
    const leave = limit.enter(context.user.name);
    let streams = false;
    try {
      const response = await next(context);
      const { body } = response;
      if (typeof body === 'string' || body instanceof Uint8Array) return response;
      streams = true;
      return { ...response, body: measuredStream(body, leave) };
    } finally {
      if (!streams) leave();
    }
  };
