import type { Cursor } from './cursor.ts';
import { escaped } from './scan-escape.ts';

/** Collects spaces and line breaks inside a multi-line scalar, and folds them if text follows. */
class Folding {
  #blanks = '';
  #first = '';
  #rest = '';
  /** Whether a line break came after the last text. */
  broken = false;

  /** Skips all spaces and line breaks. Throws for a tab within the first `indent` columns of a line. */
  collect(cursor: Cursor, indent = 0): void {
    while (cursor.isBlank() || cursor.isBreak()) {
      if (cursor.isBreak()) this.#break(cursor);
      else if (!this.broken) this.#blanks += cursor.read();
      else if (cursor.column < indent && cursor.isTab()) {
        throw cursor.fault('found a tab character that violates indentation');
      } else cursor.skip();
    }
  }

  #break(cursor: Cursor): void {
    if (this.broken) this.#rest += cursor.readLine();
    else {
      this.#blanks = '';
      this.#first = cursor.readLine();
      this.broken = true;
    }
  }

  /** Returns the collected spaces and line breaks, folded, to insert before more text. */
  take(): string {
    const folded = this.#first === '\n' ? this.#rest || ' ' : this.#first + this.#rest;
    const text = this.broken ? folded : this.#blanks;
    this.#blanks = this.#first = this.#rest = '';
    this.broken = false;
    return text;
  }

  /** Starts over after an escaped line break. Only further line breaks count. */
  escape(): void {
    this.broken = true;
  }
}

/** The text of a scalar. */
export interface Scanned {
  readonly value: string;
  /** Whether a line break follows the scalar. */
  readonly endsLine: boolean;
}

/** Scans a plain scalar. It ends at a line with less than `indent` columns of indentation, and in flow collections at flow indicators. */
export function scanPlain(cursor: Cursor, indent: number, inFlow: boolean): Scanned {
  const folding = new Folding();
  const run = inFlow ? FLOW_RUN : BLOCK_RUN;
  let value = '';
  while (!cursor.isDocumentIndicator() && cursor.at() !== '#') {
    while (!cursor.isSeparator() && !endsPlain(cursor, inFlow))
      value += folding.take() + (cursor.readWhile(run) || cursor.read());
    if (!cursor.isBlank() && !cursor.isBreak()) break;
    folding.collect(cursor, indent);
    if (!inFlow && cursor.column < indent) break;
  }
  return { value, endsLine: folding.broken };
}

/** Matches a run of characters that cannot end a plain scalar. */
const BLOCK_RUN = /[^\s:\u0080-\uffff]*/y;
const FLOW_RUN = /[^\s:,?[\]{}\u0080-\uffff]*/y;

function endsPlain(cursor: Cursor, inFlow: boolean): boolean {
  const char = cursor.at();
  return (char === ':' && cursor.isSeparator(1)) || (inFlow && ',?[]{}'.includes(char));
}

/** Scans a quoted scalar at the cursor. */
export function scanQuoted(cursor: Cursor): string {
  const quote = cursor.read();
  const folding = new Folding();
  let value = '';
  for (;;) {
    if (cursor.isDocumentIndicator()) throw cursor.fault('found unexpected document indicator');
    if (cursor.isEnd()) throw cursor.fault('found unexpected end of stream');
    value += quote === "'" ? singleQuoted(cursor) : doubleQuoted(cursor, folding);
    if (cursor.at() === quote) break;
    folding.collect(cursor);
    value += folding.take();
  }
  cursor.skip();
  return value;
}

const SINGLE_RUN = /[^\s'\u0080-\uffff]*/y;
const DOUBLE_RUN = /[^\s"\\\u0080-\uffff]*/y;

function singleQuoted(cursor: Cursor): string {
  let text = '';
  while (!cursor.isSeparator()) {
    if (cursor.at() !== "'") text += cursor.readWhile(SINGLE_RUN) || cursor.read();
    else if (cursor.at(1) === "'") {
      text += "'";
      cursor.skip(2);
    } else break;
  }
  return text;
}

function doubleQuoted(cursor: Cursor, folding: Folding): string {
  let text = '';
  while (!cursor.isSeparator() && cursor.at() !== '"') {
    if (cursor.at() !== '\\') text += cursor.readWhile(DOUBLE_RUN) || cursor.read();
    else if (cursor.isBreak(1)) {
      cursor.skip();
      cursor.readLine();
      folding.escape();
      break;
    } else text += escaped(cursor);
  }
  return text;
}
