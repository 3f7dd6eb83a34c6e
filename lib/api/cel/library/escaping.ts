/** The words that need escaping as property names in expressions: upstream's apiserver/pkg/cel/escaping.go. */

const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const WORDS: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['underscores', '__'],
  ['dot', '.'],
  ['dash', '-'],
  ['slash', '/'],
]);

/** Whether an identifier is a keyword or reserved. */
export const isReserved = (identifier: string): boolean => RESERVED.has(identifier);

/** Returns the identifier for a property; undefined if expressions cannot name it. */
export function escapeProperty(name: string): string | undefined {
  if (name === '' || /^[0-9]|[^a-zA-Z0-9\-./_]/.test(name)) return undefined;
  if (isReserved(name)) return `__${name}__`;
  return /__|[-./]/.test(name) ? name.replace(/__|[-./]/g, (part) => WORDS[part] ?? part) : name;
}

/** Returns the property of an identifier; undefined for an invalid escape. */
export function unescapeProperty(identifier: string): string | undefined {
  if (!identifier.includes('__')) return identifier;
  let valid = true;
  const name = identifier.replace(/__([^_]+)__/g, (part, word: string) => {
    const sign = SIGNS.get(word);
    if (sign !== undefined) return sign;
    valid &&= RESERVED.has(word) && part.length === identifier.length;
    return word;
  });
  return valid ? name : undefined;
}
