/** The token types, named as in libyaml. */
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
  /** The first line of the token, from 0. */
  readonly line: number;
  /** The value of a scalar, an anchor, an alias or a version. */
  readonly value?: string;
  /** Whether a scalar is plain (without quotes). */
  readonly plain?: boolean;
  readonly tag?: Tag;
}

/** A tag as written. The handle is empty for a tag written in full. */
export interface Tag {
  readonly handle: string;
  readonly suffix: string;
}
