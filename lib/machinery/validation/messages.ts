import type { JsonObject } from '../json-value.ts';

/** The messages shared by upstream's format checks. */
export const EMPTY = 'must be non-empty';
/** Upstream's message for a negative number. */
export const NEGATIVE = 'must be greater than or equal to 0';
/** Upstream's message for changing an immutable field. */
export const IMMUTABLE = 'field is immutable';

/** Upstream's MaxLenError. */
export const maxLength = (length: number): string => `must be no more than ${length} characters`;
/** The message for a text of more than `length` bytes. */
export const maxBytes = (length: number): string => `must be no more than ${length} bytes`;
/** Upstream's InclusiveRangeError. */
export const inclusiveRange = (low: number, high: number): string => `must be between ${low} and ${high}, inclusive`;

/** A message with `what`, valid examples, and the pattern in upstream's notation. */
export function regexError(what: string, pattern: string, ...examples: string[]): string {
  const used = `regex used for validation is '${pattern}')`;
  if (examples.length === 0) return `${what} (${used}`;
  return `${what} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}${used}`;
}

/** Go's `len` of a string. */
export const byteLength = (text: string): number => Buffer.byteLength(text);

/** The entries of a string map. Ignores values of another type. */
export function stringEntries(map: JsonObject | undefined): [string, string][] {
  return Object.entries(map ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}
