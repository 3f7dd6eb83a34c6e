import { MAX_INT64, MAX_UINT64, MIN_INT64 } from './integer-limits.ts';
/** The result of go-yaml v2's parsing of a plain scalar: YAML 1.1 with its booleans. */
export type Resolved =
  | { readonly tag: 'str' | 'timestamp' | 'merge'; readonly value: string }
  | { readonly tag: 'bool'; readonly value: boolean }
  | { readonly tag: 'null'; readonly value: null }
  | { readonly tag: 'int'; readonly value: bigint }
  | { readonly tag: 'float'; readonly value: number };

const WORDS = new Map<string, Resolved>([
  ['<<', { tag: 'merge', value: '<<' }],
  ...['y', 'Y', ...cases('yes'), ...cases('true'), ...cases('on')].map(word('bool', true)),
  ...['n', 'N', ...cases('no'), ...cases('false'), ...cases('off')].map(word('bool', false)),
  ...['', '~', ...cases('null')].map((text): [string, Resolved] => [text, { tag: 'null', value: null }]),
  ...['.nan', '.NaN', '.NAN'].map(float(Number.NaN)),
  ...['', '+'].flatMap((sign) => ['.inf', '.Inf', '.INF'].map((text) => sign + text)).map(float(Infinity)),
  ...['-.inf', '-.Inf', '-.INF'].map(float(-Infinity)),
]);

function cases(text: string): string[] {
  return [text, text.charAt(0).toUpperCase() + text.slice(1), text.toUpperCase()];
}
function word(tag: 'bool', value: boolean) {
  return (text: string): [string, Resolved] => [text, { tag, value }];
}
function float(value: number) {
  return (text: string): [string, Resolved] => [text, { tag: 'float', value }];
}

const TIMESTAMP =
  /^\d{4}-\d\d?-\d\d?(?:[Tt]\d\d?:\d\d?:\d\d?(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)| \d\d?:\d\d?:\d\d?(?:\.\d+)?)?$/;
const DECIMAL = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INTEGER = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;
const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const MAX_DIGITS = 80;

/** The type and value of a plain scalar, as go-yaml v2 parses it. */
export function resolveScalar(text: string): Resolved {
  const known = WORDS.get(text);
  if (known !== undefined) return known;
  if (!/^[-+.0-9]/.test(text)) return { tag: 'str', value: text };
  if (TIMESTAMP.test(text)) return { tag: 'timestamp', value: text };
  const plain = text.startsWith('.') ? text : text.replaceAll('_', '');
  const integer = plain.length > MAX_DIGITS ? undefined : parseInteger(plain);
  if (integer !== undefined) return { tag: 'int', value: integer };
  const value = DECIMAL.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(value) ? { tag: 'float', value } : { tag: 'str', value: text };
}

/** Parses an int64 or uint64 in any of Go's bases. */
function parseInteger(text: string): bigint | undefined {
  const [, sign = '', digits = ''] = INTEGER.exec(text) ?? [];
  if (digits === '') return undefined;
  const size = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const value = sign === '-' ? -size : size;
  const fits = value >= MIN_INT64 && value <= (sign === '' ? MAX_UINT64 : MAX_INT64);
  return fits ? value : undefined;
}

/** Whether a string is still read as a string if it is written without quotes. */
export const readsAsString = (text: string): boolean => resolveScalar(text).tag === 'str' && !BASE_60.test(text);

/** Go's FormatFloat(value, 'g', -1, 64). */
export function formatFloat(value: number): string {
  const [mantissa = '', power = ''] = value.toExponential().split('e');
  if (Number(power) >= -4 && Number(power) < 6) return String(value);
  return `${mantissa}e${power.charAt(0)}${power.slice(1).padStart(2, '0')}`;
}
