/** A distribution of CPUs over several NUMA nodes. */
export interface Distribution {
  readonly nodes: readonly number[];
  /** Number of CPUs from each of the nodes. */
  readonly each: number;
  /** The nodes that provide the remainder, one group at a time, round-robin. */
  readonly remainder: readonly number[];
}

/** The request for a distribution. */
export interface DistributionRequest {
  /** Number of free CPUs for every NUMA node that has any. */
  readonly free: ReadonlyMap<number, number>;
  readonly numCPUs: number;
  readonly groupSize: number;
}

/** Every combination of `count` items, in the order of the items. */
export function combinations(items: readonly number[], count: number): number[][] {
  if (count === 0) return [[]];
  return items.flatMap((item, index) => combinations(items.slice(index + 1), count - 1).map((rest) => [item, ...rest]));
}

/**
 * The distribution, over one of the sets of nodes, that leaves the most balanced free CPUs on all nodes. Undefined if no set can provide
 * the CPUs evenly.
 */
export function bestDistribution(
  sets: readonly (readonly number[])[],
  request: DistributionRequest,
): Distribution | undefined {
  let best: (Distribution & { readonly balance: number }) | undefined;
  for (const nodes of sets) {
    if (best?.balance === 0) break;
    const found = distributionOver(nodes, request);
    if (found !== undefined && found.balance < (best?.balance ?? Number.MAX_VALUE)) best = found;
  }
  return best;
}

function distributionOver(
  nodes: readonly number[],
  { free, numCPUs, groupSize }: DistributionRequest,
): (Distribution & { readonly balance: number }) | undefined {
  const sizes = nodes.map((node) => free.get(node) ?? 0);
  const groups = sizes.reduce((total, size) => total + Math.floor(size / groupSize), 0);
  if (groups * groupSize < numCPUs) return undefined;
  const each = Math.floor(Math.floor(numCPUs / nodes.length) / groupSize) * groupSize;
  if (sizes.some((size) => size < each)) return undefined;
  const left = new Map(free);
  for (const node of nodes) left.set(node, (left.get(node) ?? 0) - each);
  const rest = numCPUs - each * nodes.length;
  if (rest === 0) return { nodes, each, remainder: [], balance: deviation(left) };
  const givers = nodes.filter((node) => (left.get(node) ?? 0) >= groupSize);
  const best = bestRemainder(givers, { left, rest, groupSize });
  return best && { nodes, each, ...best };
}

/** The nodes for the remainder that leave the most balanced free CPUs. Tries more nodes first. */
function bestRemainder(
  givers: readonly number[],
  { left, rest, groupSize }: { left: ReadonlyMap<number, number>; rest: number; groupSize: number },
): { readonly remainder: readonly number[]; readonly balance: number } | undefined {
  let best: { readonly remainder: readonly number[]; readonly balance: number } | undefined;
  for (let count = givers.length; count >= 1; count -= 1) {
    for (const remainder of combinations(givers, count)) {
      const total = remainder.reduce((sum, node) => sum + (left.get(node) ?? 0), 0);
      if (total < rest) continue;
      const after = afterRest(left, { remainder, rest, groupSize });
      if (after === undefined) continue;
      const balance = deviation(after);
      if (balance < (best?.balance ?? Number.MAX_VALUE)) best = { remainder, balance };
    }
  }
  return best;
}

/** The free CPUs after the remainder is taken. Undefined if the nodes run out of whole groups first. */
function afterRest(
  left: ReadonlyMap<number, number>,
  { remainder, rest, groupSize }: { remainder: readonly number[]; rest: number; groupSize: number },
): Map<number, number> | undefined {
  const after = new Map(left);
  let missing = rest;
  while (missing > 0) {
    const before = missing;
    for (const node of remainder) {
      const size = after.get(node) ?? 0;
      if (missing === 0 || size < groupSize) continue;
      after.set(node, size - groupSize);
      missing -= groupSize;
    }
    if (missing === before) return undefined;
  }
  return after;
}

/** The standard deviation of the values, rounded to thousandths. */
function deviation(values: ReadonlyMap<number, number>): number {
  const sizes = [...values.values()];
  const mean = thousandths(sizes.reduce((sum, size) => sum + size, 0) / sizes.length);
  const squares = sizes.reduce((sum, size) => sum + (size - mean) ** 2, 0);
  return thousandths(Math.sqrt(squares / sizes.length));
}

const thousandths = (value: number): number => Math.round(value * 1000) / 1000;
