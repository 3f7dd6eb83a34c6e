import { DecodeError } from './error.ts';

const ALPHABET = /^[A-Za-z0-9+/]*$/;

/** Checks standard base64 like Go, which skips newlines, and returns its canonical text. Throws DecodeError. */
export function canonicalBase64(text: string): string {
  const bad = firstBadByte(text);
  if (bad >= 0) throw new DecodeError(`illegal base64 data at input byte ${bad}`);
  return Buffer.from(text, 'base64').toString('base64');
}

/** The offset in Go's CorruptInputError, or -1. */
function firstBadByte(text: string): number {
  if (text.length % 4 === 0 && ALPHABET.test(text.replace(/={1,2}$/, ''))) return -1;
  const bytes = Buffer.from(text);
  let at = 0;
  for (;;) {
    const quantum = readQuantum(bytes, at);
    if (quantum.bad >= 0 || quantum.end) return quantum.bad;
    at = quantum.next;
  }
}

interface Quantum {
  readonly bad: number;
  readonly end: boolean;
  readonly next: number;
}

const NEWLINES = new Set([0x0a, 0x0d]);
const PAD = 0x3d;

const bad = (at: number): Quantum => ({ bad: at, end: true, next: at });

function readQuantum(bytes: Buffer, start: number): Quantum {
  let at = start;
  for (let digits = 0; digits < 4; ) {
    if (at === bytes.length) return digits === 0 ? { bad: -1, end: true, next: at } : bad(at - digits);
    const byte = bytes[at++] as number;
    if (NEWLINES.has(byte)) continue;
    if (byte === PAD) return readPadding(bytes, at, digits);
    if (!ALPHABET.test(String.fromCharCode(byte))) return bad(at - 1);
    digits++;
  }
  return { bad: -1, end: false, next: at };
}

/** Reads the padding. `at` is the position after the first `=`. */
function readPadding(bytes: Buffer, start: number, digits: number): Quantum {
  if (digits < 2) return bad(start - 1);
  let at = skipNewlines(bytes, start);
  if (digits === 2) {
    if (at === bytes.length) return bad(bytes.length);
    if (bytes[at] !== PAD) return bad(at - 1);
    at = skipNewlines(bytes, at + 1);
  }
  return at < bytes.length ? bad(at) : { bad: -1, end: true, next: at };
}

function skipNewlines(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && NEWLINES.has(bytes[at] as number)) at++;
  return at;
}
