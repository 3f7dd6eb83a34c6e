import { codePoints } from '../values/size.ts';

/** An error in an expression. `offset` is in UTF-16 units, or -1 if there is no position. */
export interface Issue {
  readonly offset: number;
  readonly message: string;
}

const maxIssues = 100;
const maxSnippet = 16384;

/** Returns upstream's display of errors sorted by position: each with its line and a mark under the column. */
export function displayIssues(text: string, issues: readonly Issue[]): string {
  const sorted = issues.toSorted((a, b) => a.offset - b.offset);
  const lines = sorted.slice(0, maxIssues).map((issue) => displayIssue(text, issue));
  if (sorted.length > maxIssues) lines.push(`${sorted.length - maxIssues} more errors were truncated`);
  return lines.join('\n');
}

function displayIssue(text: string, { offset, message }: Issue): string {
  if (offset < 0) return `ERROR: <input>:-1:0: ${message}`;
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  const head = text.slice(start, offset);
  const header = `ERROR: <input>:${line}:${codePoints(head) + 1}: ${message}`;
  const end = text.indexOf('\n', offset);
  const snippet = text.slice(start, end < 0 ? text.length : end).replaceAll('\t', ' ');
  if (Buffer.byteLength(snippet) > maxSnippet) return header;
  return `${header}\n | ${snippet}\n | ${markUnder(head, text.slice(offset, end < 0 ? text.length : end))}`;
}

/** Returns dots up to the column and a caret. Characters of more than one byte get a wide dot or caret. */
function markUnder(head: string, tail: string): string {
  const dots = Array.from(head, (character) => (isWide(character) ? '\uff0e' : '.'));
  return `${dots.join('')}${isWide(tail) ? '\uff3e' : '^'}`;
}

function isWide(text: string): boolean {
  return text !== '' && (text.codePointAt(0) ?? 0) > 0x7f;
}
