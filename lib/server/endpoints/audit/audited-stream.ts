/** The maximum size in bytes of a response that is kept for the log. Events of larger responses omit the object. */
const KEPT = 32 * 1024 * 1024;

/**
 * Returns the same stream. Calls and awaits `ended` exactly once when the stream ends for any reason. With `keeps`, `ended` receives all
 * bytes of a stream that is complete and at most 32 MiB long.
 */
export function auditedStream(
  stream: AsyncIterable<Uint8Array>,
  keeps: boolean,
  ended: (kept: Uint8Array | undefined) => Promise<void>,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const inner = stream[Symbol.asyncIterator]();
      const kept = new Kept(keeps);
      let open = true;
      const end = async (whole: Uint8Array | undefined): Promise<void> => {
        if (!open) return;
        open = false;
        await ended(whole);
      };
      return {
        async next() {
          try {
            const result = await inner.next();
            if (result.done === true) await end(kept.whole());
            else kept.add(result.value);
            return result;
          } catch (error) {
            await end(undefined);
            throw error;
          }
        },
        async return(value: unknown) {
          await end(undefined);
          return inner.return === undefined ? { done: true, value } : inner.return(value);
        },
      };
    },
  };
}

class Kept {
  #chunks: Uint8Array[] | undefined;
  #size = 0;

  constructor(keeps: boolean) {
    this.#chunks = keeps ? [] : undefined;
  }

  add(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size > KEPT) this.#chunks = undefined;
    this.#chunks?.push(chunk);
  }

  whole(): Uint8Array | undefined {
    return this.#chunks === undefined ? undefined : Buffer.concat(this.#chunks);
  }
}
