import type { Cursor } from './cursor.ts';
import type { Tag, Token } from './token.ts';

/** Scans the name of an anchor or alias, with the cursor at its indicator. */
export function scanAnchor(cursor: Cursor): string {
  cursor.skip();
  const name = cursor.readWhile(NAME);
  const ends = cursor.isSeparator() || '?:,]}%@`'.includes(cursor.at());
  if (name === '' || !ends) throw cursor.fault('did not find expected alphabetic or numeric character');
  return name;
}

const NAME = /[\w-]*/y;
const URI = /[\w\-;/?:@&=+$,.!~*'()[\]]*/y;

/** Scans `!suffix`, `!handle!suffix` or `!<uri>`. */
export function scanTag(cursor: Cursor): Tag {
  const tag = cursor.at(1) === '<' ? verbatim(cursor) : shorthand(cursor);
  if (!cursor.isSeparator()) throw cursor.fault('did not find expected whitespace or line break');
  return tag;
}

function verbatim(cursor: Cursor): Tag {
  cursor.skip(2);
  const suffix = scanUri(cursor, '');
  if (cursor.at() !== '>') throw cursor.fault("did not find the expected '>'");
  cursor.skip();
  return { handle: '', suffix };
}

function shorthand(cursor: Cursor): Tag {
  const handle = scanHandle(cursor, false);
  if (handle.length > 1 && handle.endsWith('!')) return { handle, suffix: scanUri(cursor, '') };
  const suffix = scanUri(cursor, handle);
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
}

function scanHandle(cursor: Cursor, isDirective: boolean): string {
  if (cursor.at() !== '!') throw cursor.fault("did not find expected '!'");
  const name = cursor.read() + cursor.readWhile(NAME);
  if (cursor.at() === '!') return name + cursor.read();
  if (isDirective && name !== '!') throw cursor.fault("did not find expected '!'");
  return name;
}

/** Scans a URI. `head` is the text already read, whose first character is not part of the URI. */
function scanUri(cursor: Cursor, head: string): string {
  let uri = head.slice(1);
  const before = cursor.position;
  for (;;) {
    uri += cursor.readWhile(URI);
    if (cursor.at() !== '%') break;
    uri += scanEscapes(cursor);
  }
  if (head === '' && cursor.position === before) throw cursor.fault('did not find expected tag URI');
  return uri;
}

/** Scans one UTF-8 character with `%` and two digits for each byte. */
function scanEscapes(cursor: Cursor): string {
  const octets = [scanOctet(cursor)];
  const width = widthOf(octets[0] as number);
  if (width === 0) throw cursor.fault('found an incorrect leading UTF-8 octet');
  cursor.skip(3);
  while (octets.length < width) {
    const octet = scanOctet(cursor);
    if ((octet & 0xc0) !== 0x80) throw cursor.fault('found an incorrect trailing UTF-8 octet');
    octets.push(octet);
    cursor.skip(3);
  }
  return Buffer.from(octets).toString();
}

function scanOctet(cursor: Cursor): number {
  const digits = cursor.at(1) + cursor.at(2);
  if (cursor.at() !== '%' || !/^[0-9a-fA-F]{2}$/.test(digits)) throw cursor.fault('did not find URI escaped octet');
  return Number.parseInt(digits, 16);
}

function widthOf(octet: number): number {
  if (octet < 0x80) return 1;
  if ((octet & 0xe0) === 0xc0) return 2;
  if ((octet & 0xf0) === 0xe0) return 3;
  return (octet & 0xf8) === 0xf0 ? 4 : 0;
}

/** Scans a line that begins with `%`. */
export function scanDirective(cursor: Cursor): Token {
  const { line } = cursor;
  cursor.skip();
  const name = cursor.readWhile(NAME);
  if (name === '') throw cursor.fault('could not find expected directive name');
  if (!cursor.isSeparator()) throw cursor.fault('found unexpected non-alphabetical character');
  if (name !== 'YAML' && name !== 'TAG') throw cursor.fault('found unknown directive name');
  cursor.skipBlanks();
  const token: Token =
    name === 'YAML'
      ? { type: 'version', line, value: scanVersion(cursor) }
      : { type: 'tag directive', line, tag: scanPrefix(cursor) };
  cursor.skipBlanks();
  cursor.skipComment();
  if (!cursor.isBreakOrEnd()) throw cursor.fault('did not find expected comment or line break');
  if (!cursor.isEnd()) cursor.readLine();
  return token;
}

function scanVersion(cursor: Cursor): string {
  const major = scanNumber(cursor);
  if (cursor.at() !== '.') throw cursor.fault("did not find expected digit or '.' character");
  cursor.skip();
  return `${major}.${scanNumber(cursor)}`;
}

function scanNumber(cursor: Cursor): number {
  let digits = '';
  while (/^[0-9]$/.test(cursor.at())) {
    if (digits.length === 2) throw cursor.fault('found extremely long version number');
    digits += cursor.read();
  }
  if (digits === '') throw cursor.fault('did not find expected version number');
  return Number(digits);
}

/** Scans the handle and prefix of a %TAG directive. */
function scanPrefix(cursor: Cursor): Tag {
  const handle = scanHandle(cursor, true);
  if (!cursor.isBlank()) throw cursor.fault('did not find expected whitespace');
  cursor.skipBlanks();
  const suffix = scanUri(cursor, '');
  if (!cursor.isSeparator()) throw cursor.fault('did not find expected whitespace or line break');
  return { handle, suffix };
}
