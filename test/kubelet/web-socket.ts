/** Frames of a WebSocket (RFC 6455), as far as tests of `exec` need them: one frame a message, below 64 KiB. */
export interface Message {
  readonly opcode: number;
  readonly payload: Buffer;
}

export const BINARY = 2;
export const CLOSE = 8;

/** A frame as servers send it. */
export function frame(opcode: number, payload: Uint8Array): Buffer {
  const length = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 0xff];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...length]), payload]);
}

/** The messages of a client, unmasked. */
export async function* messages(chunks: AsyncIterable<Buffer>): AsyncGenerator<Message> {
  let bytes: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk]);
    for (let next = first(bytes); next !== undefined; next = first(bytes)) {
      yield next.message;
      bytes = bytes.subarray(next.size);
    }
  }
}

function first(bytes: Buffer): { readonly message: Message; readonly size: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes.readUInt8(1) & 0x7f;
  const head = short === 126 ? 4 : 2;
  const length = short === 126 && bytes.length >= 4 ? bytes.readUInt16BE(2) : short;
  const size = head + 4 + length;
  if (bytes.length < size) return undefined;
  const mask = bytes.subarray(head, head + 4);
  const payload = Buffer.from(bytes.subarray(head + 4, size));
  for (let i = 0; i < payload.length; i++) payload[i] = payload.readUInt8(i) ^ mask.readUInt8(i % 4);
  return { message: { opcode: bytes.readUInt8(0) & 0x0f, payload }, size };
}
