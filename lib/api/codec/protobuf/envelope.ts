import { DecodeError } from '../error.ts';
import { Reader } from './reader.ts';
import { ReverseWriter } from './writer.ts';

/** The prefix of every protobuf body: `k8s\0`. */
const PREFIX = Buffer.from([0x6b, 0x38, 0x73, 0]);

/** Upstream's `runtime.Unknown`: an object's names and its message. */
export interface Unknown {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

/** Whether bytes begin with the magic number of Kubernetes protobuf. */
export function isEnveloped(bytes: Uint8Array): boolean {
  return bytes.length >= PREFIX.length && PREFIX.every((byte, i) => bytes[i] === byte);
}

/** Encodes a message in the envelope. */
export function encodeUnknown({ apiVersion, kind, raw }: Unknown): Uint8Array {
  const writer = new ReverseWriter();
  writer.close(writer.size, 4);
  writer.close(writer.size, 3);
  let from = writer.size;
  writer.bytes(raw);
  writer.close(from, 2);
  from = writer.size;
  text(writer, 2, kind);
  text(writer, 1, apiVersion);
  writer.close(from, 1);
  writer.bytes(PREFIX);
  return writer.finish();
}

/** The bytes of the envelope before and after a message of `size` bytes, for a message that is written in parts. */
export function openEnvelope(
  names: Omit<Unknown, 'raw'>,
  size: number,
): { readonly head: Uint8Array; readonly tail: Uint8Array } {
  const empty = encodeUnknown({ ...names, raw: new Uint8Array() });
  const writer = new ReverseWriter();
  writer.varint(size);
  const end = empty.length - TAIL;
  return { head: Buffer.concat([empty.subarray(0, end - 1), writer.finish()]), tail: empty.subarray(end) };
}

/** The size in bytes after the message: two fields that are always empty. */
const TAIL = 4;

function text(writer: ReverseWriter, number: number, value: string): void {
  const from = writer.size;
  writer.string(value);
  writer.close(from, number);
}

/** Opens an envelope. `raw` is a view of `bytes`. Throws DecodeError with upstream's text. */
export function decodeUnknown(bytes: Uint8Array): Unknown {
  if (bytes.length === 0) throw new DecodeError('empty data');
  if (!isEnveloped(bytes)) {
    throw new DecodeError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  if (bytes.length === PREFIX.length) throw new DecodeError('empty body');
  const reader = new Reader(bytes.subarray(PREFIX.length));
  let names = { apiVersion: '', kind: '' };
  let raw: Uint8Array = new Uint8Array(0);
  while (!reader.done) {
    const tag = reader.tag('Unknown');
    if (tag === 0x0a) names = decodeNames(reader);
    else if (tag === 0x12) raw = reader.bytes();
    else if (tag >>> 3 <= 2) throw new DecodeError(`proto: wrong wireType = ${tag & 7} for field ${FIELDS[tag >>> 3]}`);
    else reader.skip(tag & 7);
  }
  return { ...names, raw };
}

const FIELDS = ['', 'TypeMeta', 'Raw'];

function decodeNames(reader: Reader): { apiVersion: string; kind: string } {
  const outer = reader.enter();
  const names = { apiVersion: '', kind: '' };
  while (!reader.done) {
    const tag = reader.tag('TypeMeta');
    if (tag === 0x0a) names.apiVersion = reader.string();
    else if (tag === 0x12) names.kind = reader.string();
    else reader.skip(tag & 7);
  }
  reader.leave(outer);
  return names;
}
