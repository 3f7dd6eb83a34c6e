/** A step of a JSONPath template in the syntax of kubectl and printer columns. */
export type Node =
  | { readonly type: 'list'; readonly nodes: readonly Node[] }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'literal'; readonly value: number | boolean }
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'array'; readonly range: Range }
  | { readonly type: 'filter'; readonly left: Node; readonly right: Node; readonly operator: string }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'union'; readonly nodes: readonly Node[] };

/** `[start:end:step]`. A single index has `derivedEnd`. */
export interface Range {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly step: number | undefined;
  readonly derivedEnd: boolean;
}

/** A path that upstream's parser rejects. */
export class PathError extends Error {}

/** The maximum length of a template. Deep nesting of unions and filters is rejected too. */
const MAX_LENGTH = 4096;
const MAX_DEPTH = 16;

interface Cursor {
  readonly text: string;
  readonly depth: number;
  at: number;
}

/** Parses the part of a template between the braces. Throws PathError. Does not support `range` and `end`. */
export function parsePath(text: string, depth = 0): Node {
  if (text.length > MAX_LENGTH || depth > MAX_DEPTH) throw new PathError('path is too long or too deep');
  const cursor: Cursor = { text, depth, at: 0 };
  const nodes: Node[] = [];
  while (cursor.at < text.length) nodes.push(...step(cursor, nodes.at(-1)));
  return { type: 'list', nodes };
}

function step(cursor: Cursor, previous: Node | undefined): readonly Node[] {
  const { text } = cursor;
  const char = text[cursor.at] as string;
  if (text.startsWith('[?(', cursor.at)) return [filter(cursor)];
  if (text.startsWith('..', cursor.at)) return recursive(cursor, previous);
  if (char === '\n' || char === '\r') throw new PathError('unclosed action');
  if (char === '[') return array(cursor);
  if (char === '"' || char === "'") return [quoted(cursor, char)];
  if (/[-+\d]/.test(char)) return [number(cursor)];
  if (/[\p{L}_]/u.test(char)) return [identifier(cursor)];
  cursor.at++;
  if (char === '.') return [field(cursor)];
  if (' @$'.includes(char)) return [];
  throw new PathError(`unrecognized character in action: ${char}`);
}

function recursive(cursor: Cursor, previous: Node | undefined): readonly Node[] {
  if (previous?.type === 'recursive') throw new PathError('invalid multiple recursive descent');
  cursor.at += 2;
  const follows = /[\p{L}\d_]/u.test(cursor.text[cursor.at] ?? '');
  return follows ? [{ type: 'recursive' }, field(cursor)] : [{ type: 'recursive' }];
}

/** Returns the text up to an unescaped terminator. */
function name(cursor: Cursor): string {
  const start = cursor.at;
  while (cursor.at < cursor.text.length && !' \t\r\n.,[]$@{}'.includes(cursor.text[cursor.at] as string)) {
    cursor.at += cursor.text[cursor.at] === '\\' ? 2 : 1;
  }
  return cursor.text.slice(start, cursor.at);
}

function field(cursor: Cursor): Node {
  const text = name(cursor);
  return text === '*' ? { type: 'wildcard' } : { type: 'field', name: text.replaceAll('\\', '') };
}

function identifier(cursor: Cursor): Node {
  const text = name(cursor);
  if (text === 'true' || text === 'false') return { type: 'literal', value: text === 'true' };
  throw new PathError(`unrecognized identifier ${text}`);
}

function number(cursor: Cursor): Node {
  const [text = ''] = /^[-+]?[\d.]*/.exec(cursor.text.slice(cursor.at)) ?? [];
  cursor.at += text.length;
  const value = Number(text);
  if (text === '' || Number.isNaN(value)) throw new PathError(`cannot parse number ${text}`);
  return { type: 'literal', value };
}

function quoted(cursor: Cursor, quote: string): Node {
  const start = ++cursor.at;
  while (cursor.text[cursor.at] !== quote || cursor.text[cursor.at - 1] === '\\') {
    if (cursor.at >= cursor.text.length) throw new PathError('unterminated quoted string');
    cursor.at++;
  }
  return { type: 'text', text: cursor.text.slice(start, cursor.at++).replace(/\\(.)/g, '$1') };
}

const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;

function array(cursor: Cursor): readonly Node[] {
  const end = cursor.text.indexOf(']', cursor.at);
  if (end < 0) throw new PathError('unterminated array');
  const inner = cursor.text.slice(cursor.at + 1, end);
  cursor.at = end + 1;
  const text = inner === '*' ? ':' : inner;
  const parts = text.split(',');
  if (parts.length > 1) {
    return [{ type: 'union', nodes: parts.map((part) => parsePath(`[${part.trim()}]`, cursor.depth + 1)) }];
  }
  const key = /^'([^']*)'$/.exec(text)?.[1];
  if (key !== undefined) {
    const parsed = parsePath(`.${key}`, cursor.depth + 1);
    return parsed.type === 'list' ? parsed.nodes : [parsed];
  }
  const slice = SLICE.exec(text);
  if (slice === null) throw new PathError(`invalid array index ${text}`);
  return [{ type: 'array', range: rangeOf(slice) }];
}

function rangeOf([, start = '', end, stride]: RegExpExecArray): Range {
  const bound = (part: string | undefined): number | undefined =>
    part === undefined || part === '' || part === ':' ? undefined : Number(part.replace(':', ''));
  const first = bound(start);
  if (end === undefined) return { start: first, end: (first ?? 0) + 1, step: undefined, derivedEnd: true };
  return { start: first, end: bound(end), step: bound(stride), derivedEnd: false };
}

function filter(cursor: Cursor): Node {
  const start = cursor.at + 3;
  const end = filterEnd(cursor.text, start);
  if (cursor.text[end + 1] !== ']') throw new PathError('unclosed array expect ]');
  cursor.at = end + 2;
  const text = cursor.text.slice(start, end);
  const [, left = '', operator = '', right = ''] = /^([^!<>=]+)([!<>=]+)(.+?)$/s.exec(text) ?? [];
  const depth = cursor.depth + 1;
  if (operator === '') {
    return { type: 'filter', left: parsePath(text, depth), right: { type: 'list', nodes: [] }, operator: 'exists' };
  }
  return { type: 'filter', left: parsePath(left, depth), right: parsePath(right, depth), operator };
}

/** Returns the position of the closing parenthesis: the first one outside the single quoted text that a filter may have. */
function filterEnd(text: string, start: number): number {
  let pair: string | undefined;
  let closed = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at] as string;
    if (pair === undefined && (char === '"' || char === "'")) pair = char;
    else if (char === pair && text[at - 1] !== '\\') closed = true;
    else if (char === ')' && (pair !== undefined) === closed) return at;
  }
  throw new PathError('unterminated filter');
}
