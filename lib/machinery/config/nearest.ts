/** Of `known`, the word that the fewest letters set apart from `word`, at most `within`; the first of several. */
export function nearest(word: string, known: readonly string[], within = Infinity): string | undefined {
  const target = word.toLowerCase();
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = distanceOf(target, name.toLowerCase());
    if (distance <= within && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** One letter in so many may be wrong in a word that is meant to be another. */
const LETTERS = 3;

/** Of `known`, the word that a misspelt or shortened `word` is likely meant to be; undefined if it resembles none. */
export const likely = (word: string, known: readonly string[]): string | undefined =>
  nearest(word, known, Math.ceil(word.length / LETTERS)) ?? known.find((name) => name.startsWith(word));

const LONGEST = 100;

/** Levenshtein's: letters put in, taken out or changed. */
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
