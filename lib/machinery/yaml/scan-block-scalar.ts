import type { Cursor } from './cursor.ts';

interface Header {
  /** `-` strips the final line breaks, `+` keeps them, and '' keeps one. */
  readonly chomping: '' | '+' | '-';
  /** The indentation relative to the parent; 0 to detect it from the first line. */
  readonly increment: number;
}

/** Scans the text after `|` or `>`, with the cursor at that indicator. `parent` is the surrounding indentation, or -1. */
export function scanBlockScalar(cursor: Cursor, parent: number): string {
  const isLiteral = cursor.read() === '|';
  const { chomping, increment } = scanHeader(cursor);
  let indent = increment > 0 ? Math.max(parent, 0) + increment : 0;
  const first = scanBreaks(cursor, indent, parent);
  indent = first.indent;
  let value = '';
  let lineBreak = '';
  let wasBlank = false;
  let breaks = first.breaks;
  while (cursor.column === indent && !cursor.isEnd()) {
    const isBlank = cursor.isBlank();
    const folds = !isLiteral && !wasBlank && !isBlank && lineBreak === '\n';
    value += (folds ? (breaks === '' ? ' ' : '') : lineBreak) + breaks;
    wasBlank = isBlank;
    while (!cursor.isBreakOrEnd()) value += cursor.readWhile(RUN) || cursor.read();
    lineBreak = cursor.isEnd() ? '' : cursor.readLine();
    ({ breaks } = scanBreaks(cursor, indent, parent));
  }
  return value + (chomping === '-' ? '' : lineBreak) + (chomping === '+' ? breaks : '');
}

const RUN = /[^\n\r\u0080-\uffff]*/y;

function scanHeader(cursor: Cursor): Header {
  let chomping = scanChomping(cursor);
  const increment = scanIncrement(cursor);
  if (chomping === '' && increment > 0) chomping = scanChomping(cursor);
  cursor.skipBlanks();
  cursor.skipComment();
  if (!cursor.isBreakOrEnd()) throw cursor.fault('did not find expected comment or line break');
  if (!cursor.isEnd()) cursor.readLine();
  return { chomping, increment };
}

function scanChomping(cursor: Cursor): Header['chomping'] {
  const char = cursor.at();
  if (char !== '+' && char !== '-') return '';
  cursor.skip();
  return char;
}

function scanIncrement(cursor: Cursor): number {
  const char = cursor.at();
  if (!/^[0-9]$/.test(char)) return 0;
  if (char === '0') throw cursor.fault('found an indentation indicator equal to 0');
  cursor.skip();
  return Number(char);
}

/** Skips empty lines and the indentation of the next one. Detects the indentation if it is unknown. */
function scanBreaks(
  cursor: Cursor,
  indent: number,
  parent: number,
): { readonly breaks: string; readonly indent: number } {
  let breaks = '';
  let widest = 0;
  for (;;) {
    const isInside = (): boolean => indent === 0 || cursor.column < indent;
    while (isInside() && cursor.isSpace()) cursor.skip();
    widest = Math.max(widest, cursor.column);
    if (isInside() && cursor.isTab()) {
      throw cursor.fault('found a tab character where an indentation space is expected');
    }
    if (!cursor.isBreak()) break;
    breaks += cursor.readLine();
  }
  return { breaks, indent: indent === 0 ? Math.max(widest, parent + 1, 1) : indent };
}
