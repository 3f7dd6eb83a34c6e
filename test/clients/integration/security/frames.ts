/** Bytes of HTTP/2 that only a hostile client sends: frames and header blocks without any checks. */

export const TYPE = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goAway: 7,
  window: 8,
  continuation: 9,
} as const;
const NO_FLAGS = 0;
export const END_STREAM = 1;
export const END_HEADERS = 4;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export function frame(type: number, stream: number, payload: Uint8Array = Buffer.alloc(0), flags = NO_FLAGS): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header.writeUInt8(type, 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
}

/** A preface with settings: pairs of an identifier and a value. */
export function preface(settings: readonly (readonly [number, number])[] = []): Buffer {
  return Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(TYPE.settings, 0, pairs(settings))]);
}

function pairs(settings: readonly (readonly [number, number])[]): Buffer {
  const bytes = Buffer.alloc(settings.length * 6);
  settings.forEach(([id, value], i) => {
    bytes.writeUInt16BE(id, i * 6);
    bytes.writeUInt32BE(value, i * 6 + 2);
  });
  return bytes;
}

export function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export type Field = readonly [name: string, value: string];

/** Encodes the fields as literals without indexing. */
export const block = (fields: readonly Field[]): Buffer =>
  Buffer.concat(fields.map(([name, value]) => Buffer.concat([Buffer.from([0]), string(name), string(value)])));

/** A string with its length in a prefix of seven bits. */
export function string(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  const length: number[] = [];
  let rest = bytes.length;
  if (rest < 127) length.push(rest);
  else {
    length.push(127);
    for (rest -= 127; rest >= 128; rest = Math.floor(rest / 128)) length.push((rest % 128) + 128);
    length.push(rest);
  }
  return Buffer.concat([Buffer.from(length), bytes]);
}

export const headers = (stream: number, fields: readonly Field[], flags = END_HEADERS + END_STREAM): Buffer =>
  frame(TYPE.headers, stream, block(fields), flags);

/** The complete frames in the bytes read. */
export function framesOf(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at + 9 <= bytes.length; ) {
    const length = bytes.readUIntBE(at, 3);
    if (at + 9 + length > bytes.length) break;
    const payload = bytes.subarray(at + 9, at + 9 + length);
    frames.push({ type: bytes[at + 3] ?? 0, flags: bytes[at + 4] ?? 0, stream: bytes.readUInt32BE(at + 5), payload });
    at += 9 + length;
  }
  return frames;
}

/** Statuses with their own index, from 8 on. */
const INDEXED = [200, 204, 206, 304, 400, 404, 500];
/** The Huffman codes of digits in header strings, as bits. */
const DIGITS = ['00000', '00001', '00010', '011001', '011010', '011011', '011100', '011101', '011110', '011111'];

/** The status at the start of a header block; 0 if it is unknown. */
export function statusOf(payload: Buffer): number {
  const [first = 0, length = 0] = payload;
  if ((first & 0x80) !== 0) return INDEXED[(first & 0x7f) - 8] ?? 0;
  const value = payload.subarray(2, 2 + (length & 0x7f));
  if ((length & 0x80) === 0) return Number(value.toString('latin1'));
  const bits = Array.from(value, (byte) => byte.toString(2).padStart(8, '0')).join('');
  for (let status = 100; status < 600; status++) {
    const code = Array.from(String(status), (digit) => DIGITS[Number(digit)]).join('');
    if (bits === code.padEnd(value.length * 8, '1')) return status;
  }
  return 0;
}
