/** The stream, whole or up to where the abort of the signal breaks it off: who reads it sees its end and no fault. */
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
