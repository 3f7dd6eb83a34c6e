import { countIndexes, type Interval } from '#lib/server/registry/kinds/batch/indexes.ts';

/** Indexes of an indexed job: disjoint intervals that rise and do not touch. */
export type Indexes = readonly Interval[];

/** How many indexes there are. */
export const numberOf = countIndexes;

/** The indexes below `completions` of a text such as `1,3-5,7`. Parts that cannot be read are left out. */
export function readIndexes(text: string, completions: number): Indexes {
  const read = text.split(',').flatMap((fragment): Interval[] => {
    const [first = NaN, last = first] = fragment.split('-').map((limit) => (/^\d+$/.test(limit) ? Number(limit) : NaN));
    return first <= last && first < completions ? [{ first, last: Math.min(last, completions - 1) }] : [];
  });
  return union(read, []);
}

/** The text of indexes. Two that follow each other are written apart, as upstream does. */
export const indexesText = (indexes: Indexes): string =>
  indexes
    .map(({ first, last }) => (first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`))
    .join(',');

/** The indexes that are in either. */
export function union(a: Indexes, b: Indexes): Indexes {
  const merged: { first: number; last: number }[] = [];
  for (const { first, last } of [...a, ...b].sort((x, y) => x.first - y.first)) {
    const previous = merged.at(-1);
    if (previous === undefined || first > previous.last + 1) merged.push({ first, last });
    else previous.last = Math.max(previous.last, last);
  }
  return merged;
}

/** The indexes, and these numbers. */
export const plus = (indexes: Indexes, more: Iterable<number>): Indexes =>
  union(
    indexes,
    Array.from(more, (index) => ({ first: index, last: index })),
  );

/** Whether the index is among these. */
export const has = (indexes: Indexes, index: number): boolean =>
  indexes.some(({ first, last }) => first <= index && index <= last);

/** How many indexes are in both. */
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

/** The first `number` below `completions` that are not among these. */
export function firstOutside(indexes: Indexes, completions: number, number: number): number[] {
  const found: number[] = [];
  let candidate = 0;
  for (const { first, last } of [...indexes, { first: completions, last: completions }]) {
    for (; candidate < Math.min(first, completions) && found.length < number; candidate++) found.push(candidate);
    candidate = Math.max(candidate, last + 1);
  }
  return found;
}
