import { Reader } from '#lib/api/codec/protobuf/reader.ts';
import { ReverseWriter } from '#lib/api/codec/protobuf/writer.ts';

const LENGTH_DELIMITED = 2;

/** Encodes one length-delimited protobuf field: bytes, a string or a message. */
export function field(number: number, value: Uint8Array | string): Buffer {
  const writer = new ReverseWriter();
  writer.bytes(Buffer.from(value));
  writer.close(0, number);
  return Buffer.from(writer.finish());
}

/** Decodes the length-delimited fields of a message by number, each in order. Other fields are skipped. Throws DecodeError. */
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
