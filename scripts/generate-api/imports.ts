/** The maximum line length of the formatter. */
export const WIDTH = 120;

/** The formatter's sort order of imported names, which compares case last. */
const ORDER = new Intl.Collator('en', { numeric: true });

/** A type import as the formatter writes it. */
export function importText(unsorted: readonly string[], from: string): string {
  const names = unsorted.toSorted(ORDER.compare);
  const line = `import type { ${names.join(', ')} } from '${from}';`;
  return line.length <= WIDTH
    ? line
    : `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from '${from}';`;
}
