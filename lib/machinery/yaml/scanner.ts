import { Cursor, type Mark } from './cursor.ts';
import { MAX_DEPTH, tooDeep } from './error.ts';
import { scanBlockScalar } from './scan-block-scalar.ts';
import { scanPlain, scanQuoted } from './scan-scalars.ts';
import { scanAnchor, scanDirective, scanTag } from './scan-tags.ts';
import type { Token, TokenType } from './token.ts';

/** A position where a key without `?` may have begun. */
interface SimpleKey {
  possible: boolean;
  readonly required: boolean;
  readonly number: number;
  readonly mark: Mark;
}

/** The maximum distance in characters from the start of a key to its `:`. */
const MAX_KEY = 1024;
const NO_COLON = "could not find expected ':'";

/**
 * Scans a text into libyaml's tokens. A key is only recognized by the `:` after it. Tokens therefore wait until the `:` is found or no
 * longer possible.
 */
export class Scanner {
  readonly #cursor: Cursor;
  readonly #tokens: Token[] = [];
  #head = 0;
  #parsed = 0;
  readonly #keys: SimpleKey[] = [];
  readonly #keyOf = new Map<number, SimpleKey>();
  #keyAllowed = true;
  #indent = -1;
  readonly #indents: number[] = [];

  constructor(text: string) {
    this.#cursor = new Cursor(text);
    this.#keys.push(this.#noKey());
  }

  /** The next token. The last one is the end of the stream. Throws YamlError. */
  next(): Token {
    while (this.#head === this.#tokens.length || this.#waits()) this.#fetch();
    const token = this.#tokens[this.#head++] as Token;
    this.#parsed++;
    if (this.#head === this.#tokens.length) this.#head = this.#tokens.length = 0;
    return token;
  }

  #waits(): boolean {
    const key = this.#keyOf.get(this.#parsed);
    return key !== undefined && this.#isValid(key);
  }

  #noKey(): SimpleKey {
    return { possible: false, required: false, number: this.#nextNumber(), mark: this.#cursor.mark() };
  }

  #nextNumber(): number {
    return this.#parsed + this.#tokens.length - this.#head;
  }

  #inFlow(): boolean {
    return this.#keys.length > 1;
  }

  #add(type: TokenType, more: Partial<Token> = {}, line = this.#cursor.line): void {
    this.#tokens.push({ type, line, ...more });
  }

  /** Inserts a token before the token with that number, or at the end. */
  #insert(type: TokenType, line: number, number = -1): void {
    const at = number < 0 ? this.#tokens.length : number - this.#parsed + this.#head;
    this.#tokens.splice(at < this.#head ? this.#tokens.length : at, 0, { type, line });
  }

  #fetch(): void {
    const cursor = this.#cursor;
    this.#toNextToken();
    this.#unroll(cursor.column);
    if (cursor.isEnd()) return this.#end();
    const char = cursor.at();
    if (cursor.column === 0 && char === '%') return this.#directive();
    if (cursor.isDocumentIndicator()) return this.#document(char === '-' ? 'document start' : 'document end');
    this.#token(char);
  }

  #token(char: string): void {
    const cursor = this.#cursor;
    const inFlow = this.#inFlow();
    if (char === '[' || char === '{') return this.#open(char);
    if (char === ']' || char === '}') return this.#close(char);
    if (char === ',') return this.#separator();
    if (char === '-' && cursor.isSeparator(1)) return this.#entry();
    if (char === '?' && (inFlow || cursor.isSeparator(1))) return this.#key();
    if (char === ':' && (inFlow || cursor.isSeparator(1))) return this.#value();
    if (char === '*' || char === '&') return this.#anchor(char === '*' ? 'alias' : 'anchor');
    if (char === '!') return this.#tag();
    if ((char === '|' || char === '>') && !inFlow) return this.#blockScalar();
    if (char === "'" || char === '"') return this.#quoted();
    if (startsPlain(cursor, inFlow)) return this.#plain();
    throw cursor.fault('found character that cannot start any token');
  }

  /** Skips spaces, comments and line breaks. A tab counts as a space if no key may begin there. */
  #toNextToken(): void {
    const cursor = this.#cursor;
    for (;;) {
      while (cursor.isSpace() || ((this.#inFlow() || !this.#keyAllowed) && cursor.isTab())) cursor.skip();
      cursor.skipComment();
      if (!cursor.isBreak()) return;
      cursor.readLine();
      if (!this.#inFlow()) this.#keyAllowed = true;
    }
  }

  /** Whether the key is still possible. Throws if it is required but impossible. */
  #isValid(key: SimpleKey): boolean {
    if (!key.possible) return false;
    const { line, position } = this.#cursor;
    if (key.mark.line >= line && key.mark.position + MAX_KEY >= position) return true;
    if (key.required) throw this.#cursor.fault(NO_COLON);
    key.possible = false;
    return false;
  }

  #saveKey(): void {
    const { column } = this.#cursor;
    if (!this.#keyAllowed) return;
    const required = !this.#inFlow() && this.#indent === column;
    const key = { possible: true, required, number: this.#nextNumber(), mark: this.#cursor.mark() };
    this.#removeKey();
    this.#keys[this.#keys.length - 1] = key;
    this.#keyOf.set(key.number, key);
  }

  #removeKey(): void {
    const key = this.#keys.at(-1) as SimpleKey;
    if (!key.possible) return;
    if (key.required) throw this.#cursor.fault(NO_COLON);
    key.possible = false;
    this.#keyOf.delete(key.number);
  }

  #roll(type: TokenType, { column, line }: Mark, number = -1): void {
    if (this.#inFlow() || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > MAX_DEPTH) throw tooDeep();
    this.#insert(type, line, number);
  }

  #unroll(column: number): void {
    if (this.#inFlow()) return;
    while (this.#indent > column) {
      this.#add('block end');
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  #end(): void {
    const cursor = this.#cursor;
    if (cursor.column !== 0) {
      cursor.column = 0;
      cursor.line++;
    }
    this.#top();
    this.#add('stream end');
  }

  /** Closes all open blocks and removes a possible key. */
  #top(): void {
    this.#unroll(-1);
    this.#removeKey();
    this.#keyAllowed = false;
  }

  #directive(): void {
    this.#top();
    this.#tokens.push(scanDirective(this.#cursor));
  }

  #document(type: 'document start' | 'document end'): void {
    this.#top();
    this.#add(type);
    this.#cursor.skip(3);
  }

  #open(type: '[' | '{'): void {
    this.#saveKey();
    this.#keys.push(this.#noKey());
    if (this.#keys.length > MAX_DEPTH + 1) throw tooDeep();
    this.#keyAllowed = true;
    this.#one(type);
  }

  #close(type: ']' | '}'): void {
    this.#removeKey();
    if (this.#inFlow()) this.#keyOf.delete((this.#keys.pop() as SimpleKey).number);
    this.#keyAllowed = false;
    this.#one(type);
  }

  #one(type: TokenType): void {
    this.#add(type);
    this.#cursor.skip();
  }

  #separator(): void {
    this.#removeKey();
    this.#keyAllowed = true;
    this.#one(',');
  }

  #entry(): void {
    if (!this.#inFlow()) {
      if (!this.#keyAllowed) throw this.#cursor.fault('block sequence entries are not allowed in this context');
      this.#roll('block sequence', this.#cursor);
    }
    this.#removeKey();
    this.#keyAllowed = true;
    this.#one('entry');
  }

  #key(): void {
    if (!this.#inFlow()) {
      if (!this.#keyAllowed) throw this.#cursor.fault('mapping keys are not allowed in this context');
      this.#roll('block mapping', this.#cursor);
    }
    this.#removeKey();
    this.#keyAllowed = !this.#inFlow();
    this.#one('key');
  }

  #value(): void {
    const key = this.#keys.at(-1) as SimpleKey;
    if (this.#isValid(key)) {
      this.#insert('key', key.mark.line, key.number);
      this.#roll('block mapping', key.mark, key.number);
      key.possible = false;
      this.#keyOf.delete(key.number);
      this.#keyAllowed = false;
    } else this.#complexValue();
    this.#one('value');
  }

  /** Handles the `:` after a key with `?`, or without a key. */
  #complexValue(): void {
    if (!this.#inFlow()) {
      if (!this.#keyAllowed) throw this.#cursor.fault('mapping values are not allowed in this context');
      this.#roll('block mapping', this.#cursor);
    }
    this.#keyAllowed = !this.#inFlow();
  }

  #anchor(type: 'alias' | 'anchor'): void {
    const { line } = this.#noMoreKeys();
    this.#add(type, { value: scanAnchor(this.#cursor) }, line);
  }

  #tag(): void {
    const { line } = this.#noMoreKeys();
    this.#add('tag', { tag: scanTag(this.#cursor) }, line);
  }

  /** Saves this position as a possible key, and allows no other key immediately after it. */
  #noMoreKeys(): { readonly line: number } {
    this.#saveKey();
    this.#keyAllowed = false;
    return { line: this.#cursor.line };
  }

  #blockScalar(): void {
    this.#removeKey();
    this.#keyAllowed = true;
    const { line } = this.#cursor;
    this.#add('scalar', { value: scanBlockScalar(this.#cursor, this.#indent) }, line);
  }

  #quoted(): void {
    const { line } = this.#noMoreKeys();
    this.#add('scalar', { value: scanQuoted(this.#cursor) }, line);
  }

  #plain(): void {
    const { line } = this.#noMoreKeys();
    const { value, endsLine } = scanPlain(this.#cursor, this.#indent + 1, this.#inFlow());
    this.#add('scalar', { value, plain: true }, line);
    if (endsLine) this.#keyAllowed = true;
  }
}

function startsPlain(cursor: Cursor, inFlow: boolean): boolean {
  const char = cursor.at();
  if (cursor.isSeparator()) return false;
  if (!'-?:,[]{}#&*!|>\'"%@`'.includes(char)) return true;
  return char === '-' ? !cursor.isBlank(1) : !inFlow && (char === '?' || char === ':') && !cursor.isSeparator(1);
}
