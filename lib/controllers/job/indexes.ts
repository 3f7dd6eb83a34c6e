import { countIndexes, type Interval } from '#lib/server/registry/kinds/batch/indexes.ts';

/** Indexes of an indexed job: disjoint ascending intervals that do not touch. */
export type Indexes = readonly Interval[];

/** The number of indexes. */
export const numberOf = countIndexes;

/** Parses the indexes below `completions` from a text such as `1,3-5,7`. Unreadable parts are omitted. */
export function readIndexes(text: string, completions: number): Indexes {
  const read = text.split(',').flatMap((fragment): Interval[] => {
    const [first = NaN, last = first] = fragment.split('-').map((limit) => (/^\d+$/.test(limit) ? Number(limit) : NaN));
    return first <= last && first < completions ? [{ first, last: Math.min(last, completions - 1) }] : [];
  });
  return union(read, []);
}

/** Formats indexes as text. Two consecutive indexes are written separately, as upstream does. */
export const indexesText = (indexes: Indexes): string =>
  indexes
    .map(({ first, last }) => (first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`))
    .join(',');

/** The indexes in either set. */
export function union(a: Indexes, b: Indexes): Indexes {
  const merged: { first: number; last: number }[] = [];
  for (const { first, last } of [...a, ...b].sort((x, y) => x.first - y.first)) {
    const previous = merged.at(-1);
    if (previous === undefined || first > previous.last + 1) merged.push({ first, last });
    else previous.last = Math.max(previous.last, last);
  }
  return merged;
}

/** The indexes with these numbers added. */
export const plus = (indexes: Indexes, more: Iterable<number>): Indexes =>
  union(
    indexes,
    Array.from(more, (index) => ({ first: index, last: index })),
  );

/** Whether the index is in the set. */
export const has = (indexes: Indexes, index: number): boolean =>
  indexes.some(({ first, last }) => first <= index && index <= last);

/** The number of indexes in both sets. */
export function numberInBoth(a: Indexes, b: Indexes): number {
  let [number, i, j] = [0, 0, 0];
  for (;;) {
    const [x, y] = [a[i], b[j]];
    if (x === undefined || y === undefined) return number;
    number += Math.max(0, Math.min(x.last, y.last) - Math.max(x.first, y.first) + 1);
    if (x.last <= y.last) i++;
    if (y.last <= x.last) j++;
  }
}

/** The first `number` indexes below `completions` that are not in the set. */
export function firstOutside(indexes: Indexes, completions: number, number: number): number[] {
  const found: number[] = [];
  let candidate = 0;
  for (const { first, last } of [...indexes, { first: completions, last: completions }]) {
    for (; candidate < Math.min(first, completions) && found.length < number; candidate++) found.push(candidate);
    candidate = Math.max(candidate, last + 1);
  }
  return found;
}
