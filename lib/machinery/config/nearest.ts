/** The known word with the smallest edit distance to `word`, at most `within`. On a tie, the first one. */
export function nearest(word: string, known: readonly string[], within = Infinity): string | undefined {
  const target = word.toLowerCase();
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = distanceOf(target, name.toLowerCase());
    if (distance <= within && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** A misspelled word may have one wrong letter in this many. */
const LETTERS = 3;

/** The known word that a misspelled or shortened `word` likely means; undefined if none is similar. */
export const likely = (word: string, known: readonly string[]): string | undefined =>
  nearest(word, known, Math.ceil(word.length / LETTERS)) ?? known.find((name) => name.startsWith(word));

const LONGEST = 100;

/** The Levenshtein distance: the number of inserted, removed or changed letters. */
function distanceOf(a: string, b: string): number {
  if (a.length > LONGEST) return a.length;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] as number) + Number(a[i - 1] !== b[j - 1]);
      next.push(Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
