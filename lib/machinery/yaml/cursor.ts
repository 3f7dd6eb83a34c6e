import { faultAt, tooLarge, type YamlError } from './error.ts';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/**
 * The maximum number of lines. A scalar may be as long as the document. Reading it has no pause and takes up to about fifty milliseconds.
 */
const MAX_LINES = 250_000;

/** A position in the text: character offset, line and column, all counted from 0. */
export interface Mark {
  readonly position: number;
  /** The line, counted from 0. */
  readonly line: number;
  readonly column: number;
}

/** A position in multi-line text, with YAML's character tests. */
export class Cursor implements Mark {
  readonly #text: string;
  position = 0;
  line = 0;
  column = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The character at the offset, or '' after the end. */
  at(offset = 0): string {
    return this.#text.charAt(this.position + offset);
  }

  mark(): Mark {
    const { position, line, column } = this;
    return { position, line, column };
  }

  isEnd(): boolean {
    return this.position >= this.#text.length;
  }

  isSpace(): boolean {
    return this.#code(0) === SPACE;
  }

  isTab(): boolean {
    return this.#code(0) === TAB;
  }

  isBlank(offset = 0): boolean {
    const code = this.#code(offset);
    return code === SPACE || code === TAB;
  }

  isBreak(offset = 0): boolean {
    const code = this.#code(offset);
    return code === LF || code === CR || code === 0x85 || code === 0x2028 || code === 0x2029;
  }

  isBreakOrEnd(offset = 0): boolean {
    return Number.isNaN(this.#code(offset)) || this.isBreak(offset);
  }

  /** Whether the character is a space, a tab, a line break, or the end. */
  isSeparator(offset = 0): boolean {
    return this.isBlank(offset) || this.isBreakOrEnd(offset);
  }

  /** Whether a line begins here with `---` or `...`. */
  isDocumentIndicator(): boolean {
    const first = this.column === 0 ? this.at() : '';
    return (first === '-' || first === '.') && this.at(1) === first && this.at(2) === first && this.isSeparator(3);
  }

  #code(offset: number): number {
    return this.#text.charCodeAt(this.position + offset);
  }

  /** Advances by `count` characters within a line. */
  skip(count = 1): void {
    for (let i = 0; i < count; i++) {
      const code = this.#code(0);
      this.position += code >= 0xd800 && code < 0xdc00 ? 2 : 1;
      this.column++;
    }
  }

  /** Reads one character. */
  read(): string {
    const from = this.position;
    this.skip();
    return this.#text.slice(from, this.position);
  }

  /** Reads the characters that match `pattern`, which must be sticky and match no line breaks. */
  readWhile(pattern: RegExp): string {
    const from = this.position;
    pattern.lastIndex = from;
    if (!pattern.test(this.#text)) return '';
    this.position = pattern.lastIndex;
    this.column += this.position - from;
    return this.#text.slice(from, this.position);
  }

  /** Reads a line break and returns it as it appears in values. */
  readLine(): string {
    const code = this.#code(0);
    this.position += code === CR && this.#code(1) === LF ? 2 : 1;
    if (++this.line > MAX_LINES) throw tooLarge();
    this.column = 0;
    return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : '\n';
  }

  skipBlanks(): void {
    while (this.isBlank()) this.skip();
  }

  skipComment(): void {
    if (this.at() !== '#') return;
    while (!this.isBreakOrEnd()) this.skip();
  }

  /** An error at the current line. For these errors upstream counts lines from one. */
  fault(problem: string): YamlError {
    return faultAt(this.line > 0 ? this.line + 1 : 0, problem);
  }
}
