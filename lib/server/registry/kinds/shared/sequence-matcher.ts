/** A run of equal lines: `size` lines from `a[i]` and from `b[j]`. */
interface Match {
  readonly i: number;
  readonly j: number;
  readonly size: number;
}

/** A range of both sequences. */
interface Range {
  readonly a: readonly [from: number, to: number];
  readonly b: readonly [from: number, to: number];
}

/** A range that is equal or differs in both sequences. In a difference, the removal precedes the insertion. */
export interface Opcode extends Range {
  readonly isEqual: boolean;
}

/**
 * The minimum number of lines at which popular lines are ignored. A popular line makes up more than a hundredth of all lines and cannot
 * start a match.
 */
const POPULAR_FROM = 200;
/** The maximum number of visited lines and pairs of lines. Beyond it, the remaining lines count as different. */
const MAX_STEPS = 2_000_000;

/** The edits that turn a into b: Ratcliff and Obershelp's matching of the longest runs first, as in go-difflib. */
export function opcodes(a: readonly string[], b: readonly string[]): Opcode[] {
  const edits: Opcode[] = [];
  let [i, j] = [0, 0];
  for (const match of [...matchesOf(a, b), { i: a.length, j: b.length, size: 0 }]) {
    if (i < match.i || j < match.j) edits.push({ isEqual: false, a: [i, match.i], b: [j, match.j] });
    [i, j] = [match.i + match.size, match.j + match.size];
    if (match.size > 0) edits.push({ isEqual: true, a: [match.i, i], b: [match.j, j] });
  }
  return edits;
}

/** The runs of equal lines in order. Adjacent ones are merged. */
function matchesOf(a: readonly string[], b: readonly string[]): Match[] {
  const find = longestMatch(a, b);
  const found: Match[] = [];
  const open: Range[] = [{ a: [0, a.length], b: [0, b.length] }];
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const match = find(range);
    if (match.size === 0) continue;
    found.push(match);
    open.push(
      { a: [range.a[0], match.i], b: [range.b[0], match.j] },
      { a: [match.i + match.size, range.a[1]], b: [match.j + match.size, range.b[1]] },
    );
  }
  const merged: Match[] = [];
  for (const match of found.sort((x, y) => x.i - y.i)) {
    const last = merged.at(-1);
    const isNext = last !== undefined && last.i + last.size === match.i && last.j + last.size === match.j;
    if (isNext) merged.splice(-1, 1, { ...last, size: last.size + match.size });
    else merged.push(match);
  }
  return merged;
}

/** Returns a function that finds the longest run of equal lines in a range. Of several, it returns the first in a, then the first in b. */
function longestMatch(a: readonly string[], b: readonly string[]): (range: Range) => Match {
  const places = placesOf(b);
  let steps = 0;
  return ({ a: [fromA, toA], b: [fromB, toB] }) => {
    let best: Match = { i: fromA, j: fromB, size: 0 };
    let sizes = new Map<number, number>();
    for (let i = fromA; i < toA && steps < MAX_STEPS; i++, steps++) {
      const next = new Map<number, number>();
      for (const j of places.get(a[i] as string) ?? []) {
        steps++;
        if (j < fromB) continue;
        if (j >= toB) break;
        const size = (sizes.get(j - 1) ?? 0) + 1;
        next.set(j, size);
        if (size > best.size) best = { i: i - size + 1, j: j - size + 1, size };
      }
      sizes = next;
    }
    return extended(a, b, best, { a: [fromA, toA], b: [fromB, toB] });
  };
}

/** The match, extended by equal lines before and after it, which may be popular. */
function extended(a: readonly string[], b: readonly string[], match: Match, range: Range): Match {
  let { i, j, size } = match;
  for (; i > range.a[0] && j > range.b[0] && a[i - 1] === b[j - 1]; i--, j--) size++;
  while (i + size < range.a[1] && j + size < range.b[1] && a[i + size] === b[j + size]) size++;
  return { i, j, size };
}

/** The positions of each line, without popular lines. */
function placesOf(lines: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [at]);
    else known.push(at);
  }
  const most = lines.length < POPULAR_FROM ? Infinity : Math.floor(lines.length / 100) + 1;
  for (const [line, at] of places) if (at.length > most) places.delete(line);
  return places;
}
