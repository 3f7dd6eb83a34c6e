/** The longest line that the formatter leaves. */
export const WIDTH = 120;

/** An import of types as the formatter writes it. */
export function importText(names: readonly string[], from: string): string {
  const line = `import type { ${names.join(', ')} } from '${from}';`;
  return line.length <= WIDTH
    ? line
    : `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from '${from}';`;
}
