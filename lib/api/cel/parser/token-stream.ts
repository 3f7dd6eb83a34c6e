import type { Issue } from './source.ts';
import { display, expected, type Token, type TokenKind } from './token.ts';

const end: Token = { kind: '<EOF>', text: '<EOF>', offset: 0 };

/** Tokens that can follow a closing token. ANTLR, and this parser, insert a missing closing token before one of them. */
const afterCloser: ReadonlySet<TokenKind> = new Set(
  '<EOF> == != in < <= >= > && || [ ] } ) . , - ? : + * / %'.split(' '),
);

/**
 * A token stream with ANTLR's single-token repairs. An unrecoverable error is reported once and moves the stream to its end, so that the
 * recursive descent unwinds.
 */
export class TokenStream {
  readonly #tokens: readonly Token[];
  readonly #issues: Issue[];
  #at = 0;
  #failed = false;

  constructor(tokens: readonly Token[], issues: Issue[]) {
    this.#tokens = tokens;
    this.#issues = issues;
  }

  get failed(): boolean {
    return this.#failed;
  }

  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)] ?? end;
  }

  is(kind: TokenKind): boolean {
    return this.peek().kind === kind;
  }

  next(): Token {
    const token = this.peek();
    this.#at++;
    return token;
  }

  /** Consumes the next token if it is of this kind. */
  accept(kind: TokenKind): Token | undefined {
    return this.is(kind) ? this.next() : undefined;
  }

  /** Consumes a required token. */
  expect(kind: TokenKind): Token {
    const token = this.peek();
    if (token.kind === kind) return this.next();
    if (this.peek(1).kind === kind && token.kind !== '<EOF>') {
      this.#report(token, `extraneous input ${display(token.text)} expecting ${expected([kind])}`);
      this.#at++;
      return this.next();
    }
    if (isCloser(kind) && afterCloser.has(token.kind)) {
      this.#report(token, `missing ${expected([kind])} at ${display(token.text)}`);
      return token;
    }
    return this.fail(token, `mismatched input ${display(token.text)} expecting ${expected([kind])}`);
  }

  /** Ensures that one of these kinds follows. Drops one superfluous token if necessary. */
  sync(kinds: readonly TokenKind[]): void {
    const token = this.peek();
    if (kinds.includes(token.kind)) return;
    if (token.kind !== '<EOF>' && kinds.includes(this.peek(1).kind)) {
      this.#report(token, `extraneous input ${display(token.text)} expecting ${expected(kinds)}`);
      this.#at++;
    } else {
      this.fail(token, `mismatched input ${display(token.text)} expecting ${expected(kinds)}`);
    }
  }

  /** Reports an error and moves to the end. */
  fail(token: Token, message: string): Token {
    this.#report(token, message);
    this.stop();
    return token;
  }

  /** Moves to the end without a report, because the caller has already reported the error. */
  stop(): void {
    this.#failed = true;
    this.#at = this.#tokens.length - 1;
  }

  #report(token: Token, message: string): void {
    if (!this.#failed) this.#issues.push({ offset: token.offset, message: `Syntax error: ${message}` });
  }
}

function isCloser(kind: TokenKind): boolean {
  return kind === ')' || kind === ']' || kind === '}';
}
