import { quote } from '#lib/machinery/go.ts';

/** A range of indexes in the text form of an indexed job: `1,3-5,7`. */
export interface Interval {
  readonly first: number;
  readonly last: number;
}

/** Parses the intervals of a text, or returns the error. Indexes are ascending and less than `completions`. */
export function parseIndexes(indexes: string, completions: number): Interval[] | string {
  const intervals: Interval[] = [];
  if (indexes === '') return intervals;
  for (const fragment of indexes.split(',')) {
    const interval = parseInterval(fragment, completions);
    if (typeof interval === 'string') return interval;
    const previous = intervals.at(-1);
    if (previous !== undefined && previous.last >= interval.first) return order(previous.last, interval.first);
    intervals.push(interval);
  }
  return intervals;
}

const order = (previous: number, current: number): string =>
  `non-increasing order, previous: ${previous}, current: ${current}`;

function parseInterval(fragment: string, completions: number): Interval | string {
  const limits = fragment.split('-');
  if (limits.length > 2) {
    return `the fragment ${quote(fragment)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const numbers: number[] = [];
  for (const limit of limits) {
    const number = /^[+-]?[0-9]{1,18}$/.test(limit) ? Number(limit) : undefined;
    if (number === undefined) return `cannot convert string to integer for index: ${quote(limit)}`;
    if (number >= completions) return `too large index: ${quote(limit)}`;
    numbers.push(number);
  }
  const [first = 0, last = first] = numbers;
  return limits.length > 1 && first >= last ? order(first, last) : { first, last };
}

/** The number of indexes in the intervals. */
export function countIndexes(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/** The first index in both texts. Ignores malformed parts, which format validation reports. */
export function overlappingIndex(a: string, b: string, completions: number): number | undefined {
  const intervals = (indexes: string): Interval[] =>
    indexes.split(',').flatMap((fragment) => {
      const interval = parseInterval(fragment, completions);
      return typeof interval === 'string' ? [] : [interval];
    });
  const [left, right] = [intervals(a), intervals(b)];
  let [i, j] = [0, 0];
  for (;;) {
    const [x, y] = [left[i], right[j]];
    if (x === undefined || y === undefined) return undefined;
    if (x.first <= y.last && y.first <= x.last) return Math.max(x.first, y.first);
    if (x.first <= y.first) i++;
    else j++;
  }
}
