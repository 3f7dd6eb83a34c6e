/**
 * The resource of a kind, where nobody can be asked: upstream's UnsafeGuessKindToResource, with English plurals of words in -ch, -x
 * and -ey. Right of every built-in kind, and of custom ones whose plural is regular.
 */
export function guessResource(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular === 'endpoints') return singular;
  if (/(s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`;
  return `${singular}s`;
}
