/** Maximum length in bytes of a line that upstream's reader accepts. */
const MAX_LINE = 64 * 1024;

const bad = (line: number, why: string): Error =>
  new Error(`invalid environment variable format at line ${line}: ${why}`);

/** The lines of a file in order, like Go's scanner. */
class Lines {
  number = 0;
  readonly #lines: readonly string[];

  constructor(text: string) {
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    this.#lines = lines;
  }

  next(): string | undefined {
    const line = this.#lines[this.number];
    if (line === undefined) return undefined;
    this.number += 1;
    if (line.length >= MAX_LINE) throw new Error('bufio.Scanner: token too long');
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}

/**
 * The value of a key in an env file with lines `NAME='value'`, or '' if it is missing (upstream: env.ParseEnv). A value may span several
 * lines. Throws Error for an earlier invalid line.
 */
export function parseEnv(text: string, key: string): string {
  const lines = new Lines(text);
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    const trimmed = line.replace(/^[ \t]+/, '');
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const { name, rest } = nameIn(trimmed, lines.number);
    const value = /^[ \t]/.test(rest) ? '' : quotedValue(rest, lines);
    if (name === key) return value;
  }
  return '';
}

function nameIn(line: string, number: number): { name: string; rest: string } {
  const equals = line.indexOf('=');
  if (equals < 0) throw bad(number, "missing '='");
  const name = line.slice(0, equals);
  const trimmed = name.replace(/[ \t]+$/, '');
  if (trimmed === '') throw bad(number, 'empty variable name');
  if (trimmed !== name) throw bad(number, "whitespace before '=' is not allowed");
  return { name, rest: line.slice(equals + 1) };
}

function quotedValue(rest: string, lines: Lines): string {
  if (!rest.startsWith("'")) throw bad(lines.number, 'value must be enclosed in single quotes');
  const start = lines.number;
  const parts: string[] = [];
  for (let line: string | undefined = rest.slice(1); line !== undefined; line = lines.next()) {
    const end = line.indexOf("'");
    parts.push(end < 0 ? line : line.slice(0, end));
    if (end < 0) continue;
    const after = line.slice(end + 1).replace(/^[ \t]+/, '');
    if (after !== '' && !after.startsWith('#')) throw bad(lines.number, 'unexpected content after closing quote');
    return parts.join('\n');
  }
  throw new Error(`invalid environment variable format starting at line ${start}: unclosed single quote`);
}
