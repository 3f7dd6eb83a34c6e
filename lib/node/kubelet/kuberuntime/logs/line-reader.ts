import type { LogFile } from './log-files.ts';

const CHUNK = 64 * 1024;
const NEWLINE = 0x0a;
/** Maximum length of a line in bytes. Runtimes write lines of 16 KiB. */
const MAX_LINE = 16 * 1024 * 1024;

/** Reads a file line by line, starting at a position. */
export class LineReader {
  readonly #file: LogFile;
  #at: number;
  #pending: Uint8Array = new Uint8Array();

  constructor(file: LogFile, at: number) {
    this.#file = file;
    this.#at = at;
  }

  /** The bytes after the last newline. */
  get rest(): Uint8Array {
    return this.#pending;
  }

  /** The next line with its newline, or undefined if there is no complete line now. Throws Error for a line longer than 16 MiB. */
  async next(): Promise<Uint8Array | undefined> {
    for (let from = 0; ; ) {
      const end = this.#pending.indexOf(NEWLINE, from);
      if (end >= 0) {
        const line = this.#pending.subarray(0, end + 1);
        this.#pending = this.#pending.subarray(end + 1);
        return line;
      }
      from = this.#pending.length;
      if (from > MAX_LINE) throw new Error('bufio.Scanner: token too long');
      const more = await this.#file.read(this.#at, CHUNK);
      if (more.length === 0) return undefined;
      this.#at += more.length;
      this.#pending = joined(this.#pending, more);
    }
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
