/** A parsed line of a scrape. */
export interface ParsedSample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
  /** The time of measurement in ms since 1970. If absent, the time of the scrape. */
  readonly timestamp?: number;
}

/** The error for text that is not in Prometheus' text format. The message includes the line. */
export class TextFormatError extends Error {
  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.name = 'TextFormatError';
  }
}

/** The maximum line length. It bounds the cost of the regular expressions. */
const MAX_LINE = 16_384;

const NAME = /[ \t]*([a-zA-Z_:][a-zA-Z0-9_:]*)[ \t]*/y;
const LABEL = /[ \t]*([a-zA-Z_][a-zA-Z0-9_]*)[ \t]*=[ \t]*"([^"\\]*(?:\\.[^"\\]*)*)"[ \t]*(?:,[ \t]*|(?=\}))/y;
const VALUE = /[ \t]*(\S+)(?:[ \t]+(-?\d{1,15}))?[ \t\r]*$/y;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;

/**
 * Parses Prometheus' text format, one sample at a time: the inverse of `expose`. Skips comments. Throws TextFormatError at the first
 * malformed line.
 */
export function* parseText(text: string): Generator<ParsedSample> {
  let number = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    number++;
    if (end - start > MAX_LINE) throw new TextFormatError(number, `it has more than ${MAX_LINE} characters`);
    const line = text.slice(start, end);
    start = end + 1;
    if (/^[ \t\r]*(?:#|$)/.test(line)) continue;
    yield sampleIn(line, number);
  }
}

function sampleIn(line: string, number: number): ParsedSample {
  const read = (pattern: RegExp, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(line);
  };
  const [head = '', name = ''] = read(NAME, 0) ?? [];
  if (name === '') throw new TextFormatError(number, 'it has no metric name');
  const labels = new Map<string, string>();
  let at = head.length;
  if (line[at] === '{') {
    at = pastBrace(line, at);
    while (line[at] !== '}') {
      const [whole, label = '', value = ''] = read(LABEL, at) ?? [];
      if (whole === undefined) throw new TextFormatError(number, 'a label is malformed');
      labels.set(label, unescaped(value));
      at += whole.length;
    }
    at++;
  }
  const [, value = '', timestamp] = read(VALUE, at) ?? [];
  const parsed = numberOf(value);
  if (parsed === undefined) throw new TextFormatError(number, 'its value is no number');
  return { name, labels, value: parsed, ...(timestamp === undefined ? {} : { timestamp: Number(timestamp) }) };
}

/** The position after the opening brace and the spaces that follow. */
function pastBrace(line: string, brace: number): number {
  let at = brace + 1;
  while (line[at] === ' ' || line[at] === '\t') at++;
  return at;
}

const unescaped = (value: string): string =>
  value.includes('\\') ? value.replaceAll(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one)) : value;

function numberOf(text: string): number | undefined {
  if (NUMBER.test(text)) return Number(text);
  if (/^nan$/i.test(text)) return Number.NaN;
  const infinite = INFINITE.exec(text);
  if (infinite === null) return undefined;
  return infinite[1] === '-' ? -Infinity : Infinity;
}
