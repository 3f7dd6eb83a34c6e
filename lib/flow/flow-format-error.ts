import { FlowRangeError } from './exact.ts';

/** A malformed instance or sequence. The message begins with the number of the line. */
export class FlowFormatError extends Error {
  override readonly name = 'FlowFormatError';

  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`);
  }
}

/** Runs a change that a line asks for; a FlowRangeError becomes a FlowFormatError of that line. */
export function onLine<T>(line: number, change: () => T): T {
  try {
    return change();
  } catch (error) {
    throw error instanceof FlowRangeError ? new FlowFormatError(line, error.message) : error;
  }
}

/** Untrusted text for a message, shortened. */
export const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
