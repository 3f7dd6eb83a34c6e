import type { Issue } from './source.ts';
import { display, type Token, type TokenKind } from './token.ts';

const escape = String.raw`\\(?:[abfnrtv"'\\?${'`'}]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
const strings = [
  String.raw`[rR]"""[^]*?"""`,
  String.raw`[rR]'''[^]*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
  String.raw`"""(?:${escape}|[^\\])*?"""`,
  String.raw`'''(?:${escape}|[^\\])*?'''`,
  String.raw`"(?:${escape}|[^\\"\n\r])*"`,
  String.raw`'(?:${escape}|[^\\'\n\r])*'`,
].join('|');

type Rule = readonly [TokenKind | undefined, RegExp];

const space: Rule = [undefined, /[\t \r\n\f]+/y];
const comment: Rule = [undefined, /\/\/[^\n]*/y];
const string: Rule = ['STRING', new RegExp(strings, 'y')];
const bytes: Rule = ['BYTES', new RegExp(`[bB](?:${strings})`, 'y')];
const identifier: Rule = ['IDENTIFIER', /[A-Za-z_][A-Za-z0-9_]*/y];
const escaped: Rule = ['ESC_IDENTIFIER', /`[A-Za-z0-9_.\-/ ]+`/y];
const float: Rule = [
  'NUM_FLOAT',
  /[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?/y,
];
const uint: Rule = ['NUM_UINT', /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]/y];
const int: Rule = ['NUM_INT', /0x[0-9a-fA-F]+|[0-9]+/y];

/** The rules for tokens that start with a character of each kind. */
const rulesByStart: readonly (readonly [RegExp, readonly Rule[]])[] = [
  [/[rRbB]/, [string, bytes, identifier]],
  [/[A-Za-z_]/, [identifier]],
  [/[\t \r\n\f]/, [space]],
  [/["']/, [string]],
  [/[0-9]/, [float, uint, int]],
  [/\./, [float]],
  [/\//, [comment]],
  [/`/, [escaped]],
];
const rulesOf: readonly (readonly Rule[])[] = Array.from({ length: 128 }, (_, code) => {
  const start = String.fromCharCode(code);
  return rulesByStart.find(([pattern]) => pattern.test(start))?.[1] ?? [];
});

const symbols = /==|!=|<=|>=|&&|\|\||[[\]{}().,\-!?:+*/%<>]/y;
const keywords: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);
/** Patterns for the part of an invalid token that is skipped: an operator's first half, or an unterminated string. */
const broken = [
  new RegExp(
    `[bB]?[rR]?(?:"(?:${escape}|[^\\\\"\\n\\r])*|'(?:${escape}|[^\\\\'\\n\\r])*)(?:\\\\[xXuU][0-9a-fA-F]*|\\\\[0-3][0-7]?|\\\\)?`,
    'y',
  ),
  /[=&|]/y,
  /`[A-Za-z0-9_.\-/ ]*/y,
];

/** Returns the tokens of an expression, ending with `<EOF>`. Reports and skips invalid text. */
export function tokenize(text: string, issues: Issue[]): Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  while (offset < text.length) {
    const found = tokenAt(text, offset);
    if (!found) {
      const end = Math.min(brokenEnd(text, offset) + 1, text.length);
      const fault = display(text.slice(offset, end));
      issues.push({ offset, message: `Syntax error: token recognition error at: ${fault}` });
      offset = end;
      continue;
    }
    if (found.kind !== undefined) tokens.push({ kind: found.kind, text: found.text, offset });
    offset += found.text.length;
  }
  tokens.push({ kind: '<EOF>', text: '<EOF>', offset: text.length });
  return tokens;
}

/** Returns the longest match. If several are equally long, the first rule wins. */
function tokenAt(text: string, offset: number): { kind: TokenKind | undefined; text: string } | undefined {
  let best: { kind: TokenKind | undefined; text: string } | undefined;
  for (const [kind, pattern] of rulesOf[text.charCodeAt(offset)] ?? []) {
    const match = matchAt(pattern, text, offset);
    if (match !== undefined && match.length > (best?.text.length ?? 0)) best = { kind, text: match };
  }
  const symbol = matchAt(symbols, text, offset);
  if (symbol !== undefined && symbol.length > (best?.text.length ?? 0)) best = { kind: symbol, text: symbol };
  return best && keywords.has(best.text) ? { kind: best.text, text: best.text } : best;
}

function brokenEnd(text: string, offset: number): number {
  for (const pattern of broken) {
    const match = matchAt(pattern, text, offset);
    if (match !== undefined && match !== '') return offset + match.length;
  }
  const point = text.codePointAt(offset) ?? 0;
  return offset + (point > 0xffff ? 1 : 0);
}

function matchAt(pattern: RegExp, text: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0];
}
