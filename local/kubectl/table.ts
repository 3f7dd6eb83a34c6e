/** Rows in columns of equal width, three blanks between them: as kubectl prints. The first is the head. */
export function table(all: readonly (readonly string[])[]): string {
  const [head = []] = all;
  const widths = head.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => (i === head.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
      .join('   ')
      .trimEnd();
  return all.map((row) => `${line(row)}\n`).join('');
}

/** A text from outside in one line, without control characters that a terminal would obey. */
export const plain = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').trim();
