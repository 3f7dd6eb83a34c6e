import { Reader } from '#lib/api/codec/protobuf/reader.ts';

const LENGTH_DELIMITED = 2;

/** One field of a protobuf message that has a length: bytes, a text, a message. */
export function field(number: number, value: Uint8Array | string): Buffer {
  const bytes = Buffer.from(value);
  const head = [(number << 3) | LENGTH_DELIMITED];
  let rest = bytes.length;
  for (; rest > 0x7f; rest >>>= 7) head.push((rest & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([...head, rest]), bytes]);
}

/** Such fields of a message by their numbers, each in order; others are passed over. Throws DecodeError. */
export function fields(message: Uint8Array): ReadonlyMap<number, readonly Buffer[]> {
  const found = new Map<number, Buffer[]>();
  const reader = new Reader(message);
  while (!reader.done) {
    const tag = reader.tag('Message');
    if ((tag & 7) === LENGTH_DELIMITED) found.set(tag >>> 3, [...(found.get(tag >>> 3) ?? []), reader.bytes()]);
    else reader.skip(tag & 7);
  }
  return found;
}
