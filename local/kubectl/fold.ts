/** The last of several equivalent items, and their number. */
export interface Folded<T> {
  readonly item: T;
  readonly count: number;
}

/** Replaces items with the same key by the last of them, at its position. `countOf` returns how many occurrences an item represents. */
export function fold<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  countOf: (item: T) => number = () => 1,
): readonly Folded<T>[] {
  const folded = new Map<string, Folded<T>>();
  for (const item of items) {
    const key = keyOf(item);
    const count = (folded.get(key)?.count ?? 0) + countOf(item);
    folded.delete(key); // the last item keeps its position
    folded.set(key, { item, count });
  }
  return [...folded.values()];
}

/** A text with the number of repeats, if there are any, in the format of `kubectl describe` for events. */
export const repeated = (text: string, count: number): string => (count > 1 ? `${text} (x${count})` : text);
