/** Go's formatting, for upstream's messages. */

/** Escape sequences of Go string literals, by character. */
export const GO_ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** `%q` of a string: strconv.Quote. */
export function quote(text: string): string {
  if (/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/.test(text)) return `"${text}"`;
  let out = '"';
  for (const rune of text) out += quoteRune(rune);
  return `${out}"`;
}

/** `%q` of a slice of strings. */
export const quoteList = (texts: readonly string[]): string => `[${texts.map(quote).join(' ')}]`;

function quoteRune(rune: string): string {
  const escape = GO_ESCAPES[rune];
  if (escape !== undefined) return escape;
  const code = rune.codePointAt(0) as number;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code >= 0xd800 && code <= 0xdfff) return '\\ufffd';
  if (code < 0x7f || /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(rune)) return rune;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}

/** Go's `%v` of a number decoded as int64 or float64. */
export const goNumber = (value: number): string => (Number.isSafeInteger(value) ? String(value) : goFloat(value));

/** Go's `%v` of a float64, with an exponent from 1e6 up and below 1e-4. */
export function goFloat(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

/** Encodes a value like encoding/json: fields sorted (except those of a Map, which represents a Go struct), `<`, `>`, `&` escaped. */
export function marshal(value: unknown): string {
  return escapeHtml(encode(value));
}

function encode(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(encode).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const struct = value instanceof Map;
  const fields = (struct ? [...value] : Object.entries(value)).filter(([, item]) => item !== undefined);
  if (!struct) fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, item]) => `${JSON.stringify(name)}:${encode(item)}`).join(',')}}`;
}

/** Escapes characters that are special in HTML, like encoding/json. */
export function escapeHtml(text: string): string {
  if (!/[<>&\u2028\u2029]/.test(text)) return text;
  return text.replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
