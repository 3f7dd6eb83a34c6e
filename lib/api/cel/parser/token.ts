/** The kind of a token. A symbol or keyword is its own kind. */
export type TokenKind =
  | '<EOF>'
  | 'IDENTIFIER'
  | 'ESC_IDENTIFIER'
  | 'NUM_INT'
  | 'NUM_UINT'
  | 'NUM_FLOAT'
  | 'STRING'
  | 'BYTES'
  | (string & {});

/** A token, its text and its position. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** The position in UTF-16 units. */
  readonly offset: number;
}

/** The order of tokens in the grammar. Messages list expected tokens in this order. */
const order = [
  '<EOF>',
  '==',
  '!=',
  'in',
  '<',
  '<=',
  '>=',
  '>',
  '&&',
  '||',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  ',',
  '-',
  '!',
  '?',
  ':',
  '+',
  '*',
  '/',
  '%',
  'true',
  'false',
  'null',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
  'ESC_IDENTIFIER',
];

const named = /^(<EOF>|[A-Z_]+)$/;

/** Formats the expected tokens like ANTLR. */
export function expected(kinds: readonly TokenKind[]): string {
  const names = order.filter((kind) => kinds.includes(kind)).map((kind) => (named.test(kind) ? kind : `'${kind}'`));
  return names.length === 1 ? (names[0] ?? '') : `{${names.join(', ')}}`;
}

/** Formats a token or piece of source within a message. */
export function display(text: string): string {
  return `'${text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}'`;
}
