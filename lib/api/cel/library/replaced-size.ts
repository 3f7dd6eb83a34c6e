import { add, maxEstimate, multiply, type Range } from '../cost/estimate.ts';

/** Returns the size range of a text after `replace`. */
export function replacedSize(size: Range, old: Range, by: Range): Range {
  const most = longest(size.max, old.min, by.max);
  const least = shortest(size.min, old.max, by.min);
  const count = { min: least.count, max: most.count };
  return add(multiply(count, by), { min: least.kept, max: most.kept });
}

interface Replaced {
  readonly count: number;
  readonly kept: number;
}

const around = (size: number): number => (size < maxEstimate ? size + 1 : size);

/** The longest result: replaces as many of the shortest matches as possible with the longest replacement. */
function longest(size: number, old: number, by: number): Replaced {
  if (old === 0) return { count: around(size), kept: size };
  return by <= old ? { count: 0, kept: size } : { count: Math.ceil(size / old), kept: 0 };
}

/** The shortest result: replaces as many of the longest matches as possible with the shortest replacement. */
function shortest(size: number, old: number, by: number): Replaced {
  if (old === 0) return { count: around(size), kept: size };
  return old <= by ? { count: 0, kept: size } : { count: Math.ceil(size / old), kept: 0 };
}
