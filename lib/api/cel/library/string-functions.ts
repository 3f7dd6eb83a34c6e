import { GO_ESCAPES } from '#lib/machinery/go.ts';
import { codePoints } from '../values/size.ts';
import { type CelError, error, type ListValue } from '../values/value.ts';

/** Strings in cel-go's extension, whose indices count code points. */
type Runes = string | readonly string[];

/** Most texts have no surrogate pairs and serve as their own array of code points. */
const runesOf = (text: string): Runes => (codePoints(text) === text.length ? text : [...text]);
const sliceOf = (runes: Runes, start: number, end: number): string =>
  typeof runes === 'string' ? runes.slice(start, end) : runes.slice(start, end).join('');

/** The maximum length in characters of a text that one call may create. Upstream's only limit is its memory. */
const MAX_LENGTH = 2 ** 25;

const outOfRange = (index: bigint): CelError => error(`index out of range: ${index}`);

/** `text.charAt(index)`: '' at the end of the text. Indices count code points. */
export function charAt(text: string, index: bigint): string | CelError {
  const runes = runesOf(text);
  return index < 0n || index > runes.length ? outOfRange(index) : (runes[Number(index)] ?? '');
}

/** `text.indexOf(part, offset)`: -1 if absent. */
export function indexOf(text: string, part: string, offset = 0n): bigint | CelError {
  if (part === '') return offset;
  if (offset < 0n) return outOfRange(offset);
  const runes = runesOf(text);
  if (offset >= runes.length) return -1n;
  const start = Number(offset);
  return BigInt(typeof runes === 'string' ? runes.indexOf(part, start) : runeIndex(runes, [...part], start, 1));
}

/** `text.lastIndexOf(part, offset)`: -1 if absent. */
export function lastIndexOf(text: string, part: string, offset?: bigint): bigint | CelError {
  const runes = runesOf(text);
  if (part === '') return offset ?? BigInt(runes.length);
  if (offset === undefined && text.length < part.length) return -1n;
  const from = offset ?? BigInt(runes.length - 1);
  if (from < 0n) return outOfRange(from);
  if (from >= runes.length) return -1n;
  const start = Number(from);
  return BigInt(typeof runes === 'string' ? runes.lastIndexOf(part, start) : runeIndex(runes, [...part], start, -1));
}

function runeIndex(runes: readonly string[], part: readonly string[], start: number, step: 1 | -1): number {
  const last = runes.length - part.length;
  for (let i = step === 1 ? start : Math.min(start, last); i >= 0 && i <= last; i += step) {
    if (part.every((rune, j) => runes[i + j] === rune)) return i;
  }
  return -1;
}

/** `text.substring(start, end)`. Without `end`, returns the rest of the text. */
export function substring(text: string, start: bigint, end?: bigint): string | CelError {
  const runes = runesOf(text);
  const to = end ?? BigInt(runes.length);
  if (end !== undefined && start > end) return error(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > runes.length) return outOfRange(start);
  if (to < 0n || to > runes.length) return outOfRange(to);
  return sliceOf(runes, Number(start), Number(to));
}

/** Go's strings.Replace: an empty `old` matches before every code point and at the end. A negative count means no limit. */
export function replace(text: string, old: string, by: string, count = -1n): string | CelError {
  const limit = count < 0n ? Number.POSITIVE_INFINITY : Number(count);
  const parts = old === '' ? ['', ...text] : text.split(old);
  const times = Math.min(limit, old === '' ? parts.length : parts.length - 1);
  if (text.length + times * by.length > MAX_LENGTH) return error('result too large');
  if (old === '') return [...parts.slice(1), ''].map((rune, i) => (i < times ? by : '') + rune).join('');
  return (
    parts.slice(0, times + 1).join(by) +
    parts
      .slice(times + 1)
      .map((part) => old + part)
      .join('')
  );
}

/** Go's strings.SplitN: an empty separator splits at all code points. The last part contains the rest. */
export function split(text: string, separator: string, count = -1n): string[] {
  if (count === 0n) return [];
  const parts = separator === '' ? [...text] : text.split(separator);
  const limit = count < 0n || count > parts.length ? parts.length : Number(count);
  if (limit === parts.length) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

/** `list.join(separator)`. Returns an error if an element is not a string or the text is too long. */
export function join(list: ListValue, separator: string): string | CelError {
  const parts: string[] = [];
  let length = 0;
  for (let i = 0; i < list.size; i++) {
    const element = list.get(i);
    if (typeof element !== 'string') return error(`join: invalid input: ${String(element)}`);
    length += element.length + separator.length;
    if (length > MAX_LENGTH) return error('result too large');
    parts.push(element);
  }
  return parts.join(separator);
}

/** `text.lowerAscii()`. Leaves letters beyond ASCII unchanged. */
export const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
/** `text.upperAscii()`. Leaves letters beyond ASCII unchanged. */
export const upperAscii = (text: string): string => text.replace(/[a-z]+/g, (part) => part.toUpperCase());

/** Trims Unicode white space like Go. Unlike JavaScript's trim, this removes U+0085 and keeps U+FEFF. */
export function trim(text: string): string {
  return text.replace(/^\p{White_Space}+/u, '').replace(/(?<!\p{White_Space})\p{White_Space}+$/u, '');
}

/** Returns the text as a string literal of the language. */
export function quoteString(text: string): string {
  return `"${text.replace(/[\p{Cc}\\"]/gu, (c) => GO_ESCAPES[c] ?? c)}"`;
}
