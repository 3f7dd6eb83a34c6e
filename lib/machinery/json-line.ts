/**
 * Control characters, and characters that JSON does not escape but that move a terminal's cursor or change its colours or text direction.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A log line: JSON without characters that control a terminal. Go's loggers quote text the same way. */
export const jsonLine = (line: unknown): string => escapeUnprintable(JSON.stringify(line));

/** The text with those characters as JSON escapes. */
export const escapeUnprintable = (text: string): string => text.replace(UNPRINTABLE, escaped);

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
