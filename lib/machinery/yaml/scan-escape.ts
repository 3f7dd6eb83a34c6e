import type { Cursor } from './cursor.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};
const CODES: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Scans an escape sequence and returns its character. */
export function escaped(cursor: Cursor): string {
  const name = cursor.at(1);
  const length = Object.hasOwn(CODES, name) ? CODES[name] : undefined;
  if (length === undefined && !Object.hasOwn(ESCAPES, name)) throw cursor.fault('found unknown escape character');
  cursor.skip(2);
  return length === undefined ? (ESCAPES[name] as string) : byCode(cursor, length);
}

function byCode(cursor: Cursor, length: number): string {
  let digits = '';
  for (let i = 0; i < length; i++) digits += cursor.at(i);
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits))
    throw cursor.fault('did not find expected hexdecimal number');
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    throw cursor.fault('found invalid Unicode character escape code');
  }
  cursor.skip(length);
  return String.fromCodePoint(code);
}
