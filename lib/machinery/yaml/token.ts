/** The kinds of tokens, named as libyaml's. */
export type TokenType =
  | 'stream end'
  | 'version'
  | 'tag directive'
  | 'document start'
  | 'document end'
  | 'block sequence'
  | 'block mapping'
  | 'block end'
  | '['
  | ']'
  | '{'
  | '}'
  | ','
  | 'entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

/** A token of the scanner. */
export interface Token {
  readonly type: TokenType;
  /** Where it begins, from 0. */
  readonly line: number;
  /** Of a scalar, an anchor, an alias or a version. */
  readonly value?: string;
  /** Of a scalar without quotes. */
  readonly plain?: boolean;
  readonly tag?: Tag;
}

/** A tag as it is written; the handle is empty for one that is written in full. */
export interface Tag {
  readonly handle: string;
  readonly suffix: string;
}
