import { MAX_UINT64, MIN_INT64 } from './integer-limits.ts';
import { isObject, type Json, type JsonObject } from './json-value.ts';
import { formatFloat, readsAsString } from './yaml-scalar.ts';

/** Encodes a value like sigs.k8s.io/yaml: block style, fields in go-yaml's natural order, lists without indentation. */
export function encodeYaml(value: Json): string {
  if (Array.isArray(value) && value.length > 0) return list(value, '');
  if (isObject(value) && Object.keys(value).length > 0) return mapping(value, '');
  return `${inline(value, { column: 0, indent: '  ' })}\n`;
}

function mapping(object: JsonObject, indent: string): string {
  const fields = Object.keys(object).sort(naturalOrder);
  return fields.map((field) => `${indent}${entry(field, object[field] as Json, indent)}`).join('');
}

/** Encodes an entry. A long or multi-line key gets a question mark. */
function entry(field: string, value: Json, indent: string): string {
  const inner = `${indent}  `;
  if (field.includes('\n') || Buffer.byteLength(field) > 128) {
    return `? ${string(field, { column: inner.length, indent: inner })}\n${indent}: ${listItem(value, inner)}`;
  }
  const key = `${string(field, NO_BREAKS)}:`;
  return `${key}${fieldText(value, indent, indent.length + [...key].length)}`;
}

/** The column at which a scalar begins, and the indentation of its following lines. */
interface LinePosition {
  readonly column: number;
  readonly indent: string;
}
const NO_BREAKS: LinePosition = { column: Number.NEGATIVE_INFINITY, indent: '' };

function fieldText(value: Json, indent: string, column: number): string {
  if (Array.isArray(value) && value.length > 0) return `\n${list(value, indent)}`;
  if (isObject(value) && Object.keys(value).length > 0) return `\n${mapping(value, `${indent}  `)}`;
  return ` ${inline(value, { column: column + 1, indent: `${indent}  ` })}\n`;
}

function list(items: readonly Json[], indent: string): string {
  return items.map((item) => `${indent}- ${listItem(item, `${indent}  `)}`).join('');
}

/** Encodes an item after `- `. Its first line has no indentation. */
function listItem(item: Json, indent: string): string {
  if (Array.isArray(item) && item.length > 0) return list(item, indent).slice(indent.length);
  if (isObject(item) && Object.keys(item).length > 0) return mapping(item, indent).slice(indent.length);
  return `${inline(item, { column: indent.length, indent })}\n`;
}

function inline(value: Json, place: LinePosition): string {
  if (typeof value === 'string') return string(value, place);
  if (typeof value === 'number') return number(value);
  if (Array.isArray(value)) return '[]';
  return isObject(value) ? '{}' : String(value);
}

/** Writes integers of at most 64 bits without an exponent, and other numbers like go-yaml's floats. */
function number(value: number): string {
  const integer = Number.isInteger(value) && value >= MIN_INT64 && value <= MAX_UINT64;
  return integer ? String(value) : formatFloat(value);
}

function string(text: string, place: LinePosition): string {
  if (text.includes('\n'))
    return / \n| $/.test(text) || special(text) ? doubleQuoted(text, place) : literal(text, place);
  if (!readsAsString(text) || special(text)) return doubleQuoted(text, place);
  if (isPlain(text)) return fold([...text], place, false);
  return `'${fold([...text.replaceAll("'", "''")], { ...place, column: place.column + 1 }, false)}'`;
}

const isPlain = (text: string): boolean =>
  !/^ | $|^---|^\.\.\.|^[#,[\]{}&*!|>'"%@`]|^[?:-](?:[ \t]|$)|:(?:[ \t]|$)|[ \t]#/.test(text);

function literal(text: string, { indent }: LinePosition): string {
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = text.endsWith('\n') ? (text === '\n' || text.endsWith('\n\n') ? '+' : '') : '-';
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  return `|${hint}${chomp}\n${lines.map((part) => (part === '' ? '' : `${indent}${part}`)).join('\n')}`;
}

const WIDTH = 80;

/** Folds a line at a single space after column 80, like libyaml. `units` are characters or escapes. */
function fold(units: readonly string[], place: LinePosition, quoted: boolean): string {
  let { column } = place;
  let out = '';
  for (const [i, unit] of units.entries()) {
    const inside = i > 0 && i < units.length - 1;
    const single = units[i - 1] !== ' ' && (quoted || units[i + 1] !== ' ');
    if (unit === ' ' && inside && single && column > WIDTH) {
      out += `\n${place.indent}${units[i + 1] === ' ' ? '\\' : ''}`;
      column = place.indent.length + (units[i + 1] === ' ' ? 1 : 0);
    } else {
      out += unit;
      column += unit.length > 2 || unit.startsWith('\\') ? unit.length : 1;
    }
  }
  return out;
}

/** Whether the text needs double quotes. */
function special(text: string): boolean {
  return !/^[\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]*$/.test(text);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\x85': 'N',
  '\u2028': 'L',
  '\u2029': 'P',
};

function doubleQuoted(text: string, place: LinePosition): string {
  const units = [...text].map((rune) => (/["\\\n]/.test(rune) || special(rune) ? escapeRune(rune) : rune));
  return `"${fold(units, { ...place, column: place.column + 1 }, true)}"`;
}

function escapeRune(rune: string): string {
  const short = ESCAPES[rune];
  if (short !== undefined) return `\\${short}`;
  const code = rune.codePointAt(0) as number;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** go-yaml's key order: letters sort after other characters, and runs of digits sort as numbers. */
function naturalOrder(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a[i] !== b[i]) return differing(a, b, i);
  }
  return a.length - b.length;
}

function differing(a: readonly string[], b: readonly string[], i: number): number {
  const [x, y] = [a[i] as string, b[i] as string];
  const byRune = (x.codePointAt(0) as number) - (y.codePointAt(0) as number);
  const [xLetter, yLetter] = [/\p{L}/u.test(x), /\p{L}/u.test(y)];
  if (xLetter && yLetter) return byRune;
  if (xLetter || yLetter) return yLetter ? -1 : 1;
  const inNumber = (x === '0' || y === '0') && /[1-9]0*$/.test(digitsBefore(a, i));
  const [m, n] = [digitsAt(a, i), digitsAt(b, i)];
  const head = inNumber ? '1' : '';
  const difference = BigInt(`0${head}${m}`) - BigInt(`0${head}${n}`);
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return m.length - n.length || byRune;
}

function digitsAt(runes: readonly string[], start: number): string {
  let end = start;
  while (end < runes.length && end - start < 18 && /^[0-9]$/.test(runes[end] as string)) end++;
  return runes.slice(start, end).join('');
}

function digitsBefore(runes: readonly string[], end: number): string {
  let start = end;
  while (start > 0 && /^[0-9]$/.test(runes[start - 1] as string)) start--;
  return runes.slice(start, end).join('');
}
