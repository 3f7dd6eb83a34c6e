/**
 * Guesses the resource of a kind without discovery: upstream's UnsafeGuessKindToResource, plus English plurals of words in -ch, -x and -ey.
 * The guess is right for every built-in kind, and for custom kinds with a regular plural.
 */
export function guessResource(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular === 'endpoints') return singular;
  if (/(s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`;
  return `${singular}s`;
}
