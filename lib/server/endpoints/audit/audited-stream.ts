/** The maximum size in bytes of a response kept for the log. The event of a longer one omits the object. */
const KEPT = 32 * 1024 * 1024;

/**
 * Returns the same stream, but calls `ended` once, however it ends, and awaits it. With `keeps`, `ended` receives the bytes that passed
 * through if the stream reached its end and is at most 32 MiB long.
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
