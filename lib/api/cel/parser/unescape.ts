/** The text or bytes of a literal, or its error. */
export type Unescaped<T> = { readonly value: T } | { readonly fault: string };

const simple: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
  ['\\', 92],
  ["'", 39],
  ['"', 34],
  ['`', 96],
  ['?', 63],
]);
const lengths: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['X', 2],
  ['u', 4],
  ['U', 8],
]);

/** Returns the text within a string literal that the lexer accepted. */
export function unescapeString(literal: string): Unescaped<string> {
  const { raw, body } = unquote(literal);
  if (raw || !body.includes('\\')) return { value: body };
  let value = '';
  for (const { escaped, text, code } of pieces(body)) {
    if (!escaped) value += text;
    else if (!isScalar(code)) return { fault: 'invalid unicode code point' };
    else value += String.fromCodePoint(code);
  }
  return { value };
}

/** Returns the bytes of a bytes literal without its `b`. `\x` and octal escapes are bytes, `\u` is invalid. */
export function unescapeBytes(literal: string): Unescaped<Uint8Array> {
  const { raw, body } = unquote(literal);
  if (raw || !body.includes('\\')) return { value: new TextEncoder().encode(body) };
  const bytes: number[] = [];
  for (const { escaped, text, code } of pieces(body)) {
    if (!escaped) bytes.push(...new TextEncoder().encode(text));
    else if (text[1] === 'u' || text[1] === 'U') return { fault: 'unable to unescape string' };
    else bytes.push(code & 0xff);
  }
  return { value: Uint8Array.from(bytes) };
}

function unquote(literal: string): { raw: boolean; body: string } {
  const normal = literal.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const raw = normal.startsWith('r') || normal.startsWith('R');
  const quoted = raw ? normal.slice(1) : normal;
  const triple = quoted.length >= 6 && (quoted.startsWith('"""') || quoted.startsWith("'''"));
  return { raw, body: triple ? quoted.slice(3, -3) : quoted.slice(1, -1) };
}

interface Piece {
  readonly escaped: boolean;
  readonly text: string;
  readonly code: number;
}

function* pieces(body: string): Generator<Piece> {
  let at = 0;
  while (at < body.length) {
    const next = body.indexOf('\\', at);
    if (next !== at) {
      const end = next < 0 ? body.length : next;
      yield { escaped: false, text: body.slice(at, end), code: 0 };
      at = end;
      continue;
    }
    const piece = escapeAt(body, at);
    yield piece;
    at += piece.text.length;
  }
}

function escapeAt(body: string, at: number): Piece {
  const letter = body[at + 1] ?? '';
  const known = simple.get(letter);
  if (known !== undefined) return { escaped: true, text: body.slice(at, at + 2), code: known };
  const length = lengths.get(letter);
  const text = body.slice(at, at + (length === undefined ? 4 : 2 + length));
  const digits = text.slice(length === undefined ? 1 : 2);
  return { escaped: true, text, code: Number.parseInt(digits, length === undefined ? 8 : 16) };
}

function isScalar(code: number): boolean {
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}
