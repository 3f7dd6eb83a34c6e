import type { NumaNode } from '../machine-topology.ts';
import { type BitMask, bitMask, bitsOf, countOf, isNarrowerThan } from './bitmask.ts';
import type { TopologyPolicyOptions } from './policy-options.ts';

/** The NUMA nodes of the machine, with their distances if a policy needs them. */
export class NumaInfo {
  readonly nodes: readonly number[];
  readonly #distances: ReadonlyMap<number, readonly number[]>;

  /** Throws Error if the policy needs distances and the machine does not report them. */
  constructor(topology: readonly NumaNode[], { preferClosestNUMA }: TopologyPolicyOptions) {
    this.nodes = topology.map(({ id }) => id);
    if (preferClosestNUMA && topology.some(({ distances }) => distances === undefined))
      throw new Error('error getting NUMA distances from cadvisor');
    this.#distances = new Map(topology.map(({ id, distances = [] }) => [id, distances]));
  }

  /** The mask of all nodes. */
  get defaultAffinity(): BitMask {
    return bitMask(...this.nodes);
  }

  /** The mask with fewer nodes. At the same number, the mask whose nodes are closer to each other, else the lower mask. */
  closest(a: BitMask, b: BitMask): BitMask {
    if (countOf(a) !== countOf(b)) return narrowest(a, b);
    const [left, right] = [this.#averageDistance(a), this.#averageDistance(b)];
    if (left === right) return a < b ? a : b;
    return left < right ? a : b;
  }

  #averageDistance(mask: BitMask): number {
    const nodes = bitsOf(mask);
    if (nodes.length === 0) return 0;
    const all = nodes.flatMap((from) => nodes.map((to) => this.#distances.get(from)?.[to] ?? 0));
    return all.reduce((total, distance) => total + distance, 0) / all.length;
  }
}

/** The narrower one of two masks. */
export const narrowest = (a: BitMask, b: BitMask): BitMask => (isNarrowerThan(a, b) ? a : b);
