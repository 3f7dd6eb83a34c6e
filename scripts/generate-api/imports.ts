/** The longest line that the formatter leaves. */
export const WIDTH = 120;

/** The order in which the formatter sorts imported names: case counts last. */
const ORDER = new Intl.Collator('en', { numeric: true });

/** An import of types as the formatter writes it. */
export function importText(unsorted: readonly string[], from: string): string {
  const names = unsorted.toSorted(ORDER.compare);
  const line = `import type { ${names.join(', ')} } from '${from}';`;
  return line.length <= WIDTH
    ? line
    : `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from '${from}';`;
}
