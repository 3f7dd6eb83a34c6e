/** The status and headers of a response. */
export interface AnswerHead {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The runtime's separator between the head, which is JSON, and the body. */
export const HEAD_END = Buffer.alloc(8);
/** Maximum size of a head in bytes. */
const MAX_HEAD = 64 * 1024;

/** Reads a function's streamed response: the head, then the body as it arrives. Throws if the response has no head. */
export async function readHead(
  answer: AsyncIterable<Uint8Array>,
): Promise<{ head: AnswerHead; body: AsyncIterable<Uint8Array> }> {
  const chunks = answer[Symbol.asyncIterator]();
  let bytes = Buffer.alloc(0);
  for (;;) {
    const { done, value } = await chunks.next();
    if (done === true || bytes.length > MAX_HEAD) throw new Error('the function answered without a head');
    bytes = Buffer.concat([bytes, value]);
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) continue;
    const head = JSON.parse(bytes.subarray(0, end).toString()) as AnswerHead;
    return { head, body: rest(chunks, bytes.subarray(end + HEAD_END.length)) };
  }
}

async function* rest(chunks: AsyncIterator<Uint8Array>, first: Uint8Array): AsyncGenerator<Uint8Array> {
  try {
    if (first.length > 0) yield first;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
  }
}
