import { constants, deflateRawSync } from 'node:zlib';

/** The start of a zlib stream without a dictionary. */
const ZLIB_HEAD = Buffer.from([0x78, 0x01]);

/** A SPDY/3.1 frame: data of a stream, or a control frame of a type. */
export function spdyFrame(
  payload: Uint8Array,
  of: { readonly stream: number } | { readonly type: number },
  flags = 0,
): Buffer {
  const head = Buffer.from([0, 0, 0, 0, flags, 0, 0, 0]);
  if ('type' in of) head.writeUInt32BE(0x80_03_00_00 + of.type);
  else head.writeUInt32BE(of.stream);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

/** Writes the SYN_STREAM frames of one connection. Their headers form one zlib stream, in which each block refers to the previous ones. */
export class SynStreams {
  #window: Buffer = Buffer.alloc(0);

  /** Opens a stream with the headers. */
  next(stream: number, headers: Readonly<Record<string, string>>): Buffer {
    const plain = Buffer.concat([
      uint32(Object.keys(headers).length),
      ...Object.entries(headers).flatMap((texts) => texts.flatMap((text) => [uint32(text.length), Buffer.from(text)])),
    ]);
    const isFirst = this.#window.length === 0;
    const options = { finishFlush: constants.Z_SYNC_FLUSH, dictionary: this.#window };
    const block = isFirst
      ? [ZLIB_HEAD, deflateRawSync(plain, { finishFlush: constants.Z_SYNC_FLUSH })]
      : [deflateRawSync(plain, options)];
    this.#window = Buffer.concat([this.#window, plain]);
    return spdyFrame(Buffer.concat([uint32(stream), Buffer.alloc(6), ...block]), { type: 1 });
  }
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
