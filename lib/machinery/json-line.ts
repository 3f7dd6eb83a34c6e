/** Control characters and those that JSON leaves as they are but that move a terminal's cursor, change its colours or its direction. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A line of a log: JSON without a character that a terminal obeys. Go's loggers quote texts likewise. */
export const jsonLine = (line: unknown): string => escapeUnprintable(JSON.stringify(line));

/** The text with such characters as JSON escapes them. */
export const escapeUnprintable = (text: string): string => text.replace(UNPRINTABLE, escaped);

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
