/** Formats rows as columns separated by three spaces, as kubectl does. The first row is the header. */
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

/** Untrusted text on one line, without control characters that a terminal would interpret. */
export const plain = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').trim();
