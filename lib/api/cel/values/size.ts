import { ListValue, MapValue, ObjectValue, Opaque, Optional, type Result } from './value.ts';

/** Returns the number of code points; a lone surrogate counts as one. */
export function codePoints(text: string): number {
  let pairs = 0;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(i + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      pairs++;
      i++;
    }
  }
  return text.length - pairs;
}

/** Evaluates `size()` of a string, bytes, list or map; undefined for other values. */
export function sizeOf(value: Result): number | undefined {
  if (typeof value === 'string') return codePoints(value);
  if (value instanceof ListValue || value instanceof MapValue) return value.size;
  if (value instanceof Uint8Array) return value.length;
  return undefined;
}

/** Returns the size of a value for run-time costs; 1 for values without a size. */
export function costSize(value: Result): number {
  const size = sizeOf(value);
  if (size !== undefined) return size;
  if (value instanceof Optional && value.value !== undefined) return costSize(value.value);
  if (value instanceof ObjectValue || value instanceof Opaque) return value.costSize?.() ?? 1;
  return 1;
}
