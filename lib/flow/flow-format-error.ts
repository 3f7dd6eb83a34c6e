import { FlowRangeError } from './exact.ts';

/** The error for a malformed instance or sequence. The message begins with the line number. */
export class FlowFormatError extends Error {
  override readonly name = 'FlowFormatError';

  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`);
  }
}

/** Runs the change that a line requests. Converts a FlowRangeError into a FlowFormatError for that line. */
export function onLine<T>(line: number, change: () => T): T {
  try {
    return change();
  } catch (error) {
    throw error instanceof FlowRangeError ? new FlowFormatError(line, error.message) : error;
  }
}

/** Quotes and shortens untrusted text for a message. */
export const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
