/** Returns a stream that reports its size when it ends, however it ends. It buffers nothing. */
export function measuredStream(
  stream: AsyncIterable<Uint8Array>,
  ended: (size: number) => void,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const inner = stream[Symbol.asyncIterator]();
      let size = 0;
      let open = true;
      const end = (): void => {
        if (open) ended(size);
        open = false;
      };
      return {
        next: () =>
          inner.next().then(
            (result) => {
              if (result.done === true) end();
              else size += result.value.length;
              return result;
            },
            (error: unknown) => {
              end();
              throw error;
            },
          ),
        async return(value: unknown) {
          end();
          return inner.return === undefined ? { done: true, value } : inner.return(value);
        },
      };
    },
  };
}
