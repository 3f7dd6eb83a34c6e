import type { JsonObject } from '../json-value.ts';

/** The sentences that upstream's format checks share. */
export const EMPTY = 'must be non-empty';
/** Upstream's message for a negative number. */
export const NEGATIVE = 'must be greater than or equal to 0';
/** Upstream's message for a change of an immutable field. */
export const IMMUTABLE = 'field is immutable';

/** Upstream's MaxLenError. */
export const maxLength = (length: number): string => `must be no more than ${length} characters`;
/** The message for a text of more than `length` bytes. */
export const maxBytes = (length: number): string => `must be no more than ${length} bytes`;
/** Upstream's InclusiveRangeError. */
export const inclusiveRange = (low: number, high: number): string => `must be between ${low} and ${high}, inclusive`;

/** `what`, examples of what would do, and the pattern as upstream writes it. */
export function regexError(what: string, pattern: string, ...examples: string[]): string {
  const used = `regex used for validation is '${pattern}')`;
  if (examples.length === 0) return `${what} (${used}`;
  return `${what} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}${used}`;
}

/** Go's `len` of a string. */
export const byteLength = (text: string): number => Buffer.byteLength(text);

/** The entries of a map of strings; values of another type are left out. */
export function stringEntries(map: JsonObject | undefined): [string, string][] {
  return Object.entries(map ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}
