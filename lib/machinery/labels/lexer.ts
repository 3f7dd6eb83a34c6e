/** The kinds of tokens in a selector; an identifier is a key or a value. */
export type TokenKind =
  | ')'
  | ','
  | '!'
  | '=='
  | '='
  | '>'
  | '<'
  | '!='
  | '('
  | 'in'
  | 'notin'
  | 'identifier'
  | 'end'
  | 'error';
/** A token of a selector. */
export interface Token {
  readonly kind: TokenKind;
  /** The token as quoted in error messages. */
  readonly literal: string;
}

const SYMBOLS: ReadonlySet<string> = new Set([')', ',', '!', '==', '=', '>', '<', '!=', '(']);
const SPECIAL = /[=!(),<>]/;
const SPACE = /[ \t\r\n]/;

/** Splits a label selector into tokens. The last one is `end`. As in upstream's lexer, a NUL ends the text. */
export function tokens(text: string): Token[] {
  const found: Token[] = [];
  const end = text.includes('\0') ? text.indexOf('\0') : text.length;
  let at = 0;
  while (at < end) {
    const character = text[at] as string;
    if (SPACE.test(character)) at++;
    else {
      const token = SPECIAL.test(character) ? symbol(text, at, end) : word(text, at, end);
      found.push(token.token);
      at = token.next;
    }
  }
  found.push({ kind: 'end', literal: '' });
  return found;
}

interface Lexed {
  readonly token: Token;
  readonly next: number;
}

/** The longest symbol at `start`. */
function symbol(text: string, start: number, end: number): Lexed {
  const two = text.slice(start, Math.min(start + 2, end));
  const literal = SYMBOLS.has(two) ? two : two.slice(0, 1);
  return { token: { kind: literal as TokenKind, literal }, next: start + literal.length };
}

function word(text: string, start: number, end: number): Lexed {
  let next = start;
  while (next < end && !SPACE.test(text[next] as string) && !SPECIAL.test(text[next] as string)) next++;
  const literal = text.slice(start, next);
  return { token: { kind: literal === 'in' || literal === 'notin' ? literal : 'identifier', literal }, next };
}
