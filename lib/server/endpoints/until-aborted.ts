/** Yields the stream's chunks until it ends or the signal aborts. The reader then sees a normal end, not an error. */
export async function* untilAborted(
  signal: AbortSignal,
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
