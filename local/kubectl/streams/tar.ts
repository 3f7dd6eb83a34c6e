import { StartFault } from '../../start-fault.ts';

const BLOCK = 512;
/** The block size of an archive, as in GNU tar. The archive's size is a multiple of it. */
const RECORD = 20 * BLOCK;
/** The largest size in bytes of a long name with its extended headers. */
const MAX_NAME = 64 * 1024;
const NAME = 100;

/** An entry of an archive. */
export interface TarHeader {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
  /** Permission bits. */
  readonly mode: number;
  /** The file's size in bytes. */
  readonly size: number;
  /** The modification time in seconds since 1970. */
  readonly modified: number;
  /** The target of a symlink. */
  readonly target: string;
}

/** An entry of an archive that is being read. Read `content` to its end before the next entry. */
export interface TarEntry extends TarHeader {
  readonly content: AsyncIterable<Buffer>;
}

const TYPES: Readonly<Record<string, TarHeader['type']>> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '2': 'symlink',
  '5': 'directory',
};
const FLAGS = { file: '0', symlink: '2', directory: '5', other: '0' } as const;

/** The header of an entry. The content follows, and then `padding`. */
export function tarHead(header: TarHeader): Buffer {
  const { name, target } = header;
  const long = (text: string, flag: string): Buffer[] => {
    if (Buffer.byteLength(text) < NAME) return [];
    const bytes = Buffer.from(`${text}\0`);
    return [block('././@LongLink', flag, { ...header, size: bytes.length, target: '' }), bytes, padding(bytes.length)];
  };
  return Buffer.concat([...long(target, 'K'), ...long(name, 'L'), block(name, FLAGS[header.type], header)]);
}

/** Zeros up to the next block. */
export const padding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

/** The end of an archive of the given size in bytes. */
export function tarEnd(size: number): Buffer {
  const end = size + 2 * BLOCK;
  return Buffer.alloc(2 * BLOCK + ((RECORD - (end % RECORD)) % RECORD));
}

function block(name: string, flag: string, { mode, size, modified, target }: TarHeader): Buffer {
  const bytes = Buffer.alloc(BLOCK);
  if (size >= 8 ** 11) throw new StartFault(`${name} is too large to be copied`);
  bytes.write(name, 0, NAME);
  bytes.write(`${octal(mode, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0${octal(size, 11)}\0${octal(modified, 11)}\0`, 100);
  bytes.write(`        ${flag}`, 148);
  bytes.write(target, 157, NAME);
  bytes.write('ustar\u000000', 257);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${octal(sum, 6)}\0 `, 148);
  return bytes;
}

const octal = (value: number, digits: number): string => Math.floor(value).toString(8).padStart(digits, '0');

/** Reads the entries of an archive as a stream (ustar, with long names of GNU and POSIX). Throws StartFault if it is not an archive. */
export async function* tarEntries(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const reader = new Reader(bytes);
  let names: { path?: string; linkpath?: string } = {};
  for (;;) {
    const head = await reader.exactly(BLOCK);
    if (head === undefined || head.every((byte) => byte === 0)) return;
    const flag = head.toString('latin1', 156, 157);
    const size = numberIn(head.subarray(124, 136));
    checkSum(head);
    if ('LKxg'.includes(flag)) {
      const text = await reader.long(size);
      if (flag === 'L') names.path = untilZero(text);
      if (flag === 'K') names.linkpath = untilZero(text);
      if (flag === 'x') names = { ...names, ...extended(text) };
      continue;
    }
    const prefix = head.toString('latin1', 257, 262) === 'ustar' ? untilZero(head.subarray(345, 500)) : '';
    const short = untilZero(head.subarray(0, NAME));
    const type = TYPES[flag] ?? 'other';
    const content = reader.content(size);
    yield {
      name: names.path ?? (prefix === '' ? short : `${prefix}/${short}`),
      type,
      mode: numberIn(head.subarray(100, 108)) & 0o777,
      size,
      modified: numberIn(head.subarray(136, 148)),
      target: names.linkpath ?? untilZero(head.subarray(157, 257)),
      content,
    };
    for await (const _ of content); // skip the rest of the content
    names = {};
  }
}

const untilZero = (bytes: Buffer): string => bytes.toString('utf8').split('\0', 1).join('');

const broken = (): StartFault => new StartFault('the archive of the container is broken');

function numberIn(bytes: Buffer): number {
  const [first = 0] = bytes;
  if (first >= 0x80) return bytes.subarray(1).reduce((sum, byte) => sum * 256 + byte, first & 0x7f);
  const text = untilZero(bytes).trim();
  if (!/^[0-7]*$/.test(text)) throw broken();
  return text === '' ? 0 : Number.parseInt(text, 8);
}

function checkSum(head: Buffer): void {
  const sum = head.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (sum !== numberIn(head.subarray(148, 156))) throw broken();
}

/** The records of an extended header that set the name of the next entry. */
function extended(bytes: Buffer): { path?: string; linkpath?: string } {
  const names: { path?: string; linkpath?: string } = {};
  for (let at = 0; at < bytes.length; ) {
    const length = Number.parseInt(bytes.toString('latin1', at, at + 12), 10);
    if (!(length > 0)) break;
    const [key, ...value] = bytes
      .toString('utf8', at, at + length - 1)
      .replace(/^\d+ /, '')
      .split('=');
    if (key === 'path' || key === 'linkpath') names[key] = value.join('=');
    at += length;
  }
  return names;
}

class Reader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#source = bytes[Symbol.asyncIterator]();
  }

  /** Reads exactly this many bytes; undefined at the end of the stream. */
  async exactly(size: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    let missing = size;
    while (missing > 0) {
      const part = await this.#some(missing);
      if (part === undefined && parts.length > 0) throw broken();
      if (part === undefined) return undefined;
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts);
  }

  async long(size: number): Promise<Buffer> {
    if (size > MAX_NAME) throw broken();
    const text = await this.exactly(size + padding(size).length);
    return text?.subarray(0, size) ?? Buffer.alloc(0);
  }

  /** The bytes that a file occupies, including the padding of its last block. */
  content(size: number): AsyncIterable<Buffer> {
    let left = size;
    let filling = padding(size).length;
    const next = async (): Promise<IteratorResult<Buffer>> => {
      if (left === 0) {
        if (filling > 0) await this.exactly(filling);
        filling = 0;
        return { done: true, value: undefined };
      }
      const part = await this.#some(left);
      if (part === undefined) throw broken();
      left -= part.length;
      return { done: false, value: part };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  async #some(most: number): Promise<Buffer | undefined> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next();
      if (done === true) return undefined;
      this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    const part = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }
}
