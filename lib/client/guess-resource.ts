/**
 * The resource of a kind, where nobody can be asked: upstream's UnsafeGuessKindToResource. Right of every built-in kind, and of
 * custom ones whose plural is regular.
 */
export function guessResource(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular === 'endpoints') return singular;
  if (singular.endsWith('s')) return `${singular}es`;
  if (singular.endsWith('y')) return `${singular.slice(0, -1)}ies`;
  return `${singular}s`;
}
