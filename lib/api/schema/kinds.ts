import type { Json } from '#lib/machinery/json-value.ts';

/** The kind of a value for a schema. Go decodes an integer as int64 and a number as float64. */
export type ValueKind = 'null' | 'boolean' | 'string' | 'integer' | 'number' | 'array' | 'object';

/** Returns the kind of a value. A bigint is an integer. */
export function kindOf(value: Json): ValueKind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'string';
    case 'bigint':
      return 'integer';
    case 'number':
      return Number.isSafeInteger(value) ? 'integer' : 'number';
    default:
      return 'object';
  }
}

/** Whether a float64 represents an integer: upstream's `IsFloat64AJSONInteger`, with its relative tolerance. */
export function isJsonInteger(value: number): boolean {
  if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return false;
  const rounded = Math.sign(value) * Math.round(Math.abs(value));
  return value === rounded || (rounded !== 0 && Math.abs(value - rounded) < 1e-9 * Math.abs(rounded));
}

/** Formats a float64 like Go's `%v`. */
export function formatFloat(value: number): string {
  if (!Number.isFinite(value) || value === 0) return String(value);
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 21) return Number.isInteger(value) ? BigInt(value).toString() : String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** Returns the length that upstream counts: code points. */
export function runeCount(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) count--;
  }
  return count;
}
