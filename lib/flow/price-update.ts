import type { ScaledNetwork } from './scaled-network.ts';

/** The maximum number of buckets. More are not worth their memory. */
const MAX_BUCKETS = 1 << 16;
const NONE = -1;

/**
 * The global price update: lowers each price by ε times the distance to the nearest node that lacks flow, so that every excess has an
 * admissible path (Goldberg 1997, section 4; Goldberg and Kennedy's `set-relabel`). The length of half arc h is ⌊c_p(h)/ε⌋ + 1, or 0 if it
 * is admissible. The nodes of each rank form a bucket, a doubly linked list (Dial 1969).
 */
export class PriceUpdate {
  readonly #network: ScaledNetwork;
  readonly #rank: Int32Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  readonly #bucket: Int32Array;
  /** The rank of nodes that were not reached. Greater distances count as this rank too, which preserves ε-optimality. */
  readonly #unreached: number;
  #left = 0;

  constructor(network: ScaledNetwork) {
    this.#network = network;
    this.#unreached = Math.min(MAX_BUCKETS, 64 + 16 * network.nodes);
    this.#bucket = new Int32Array(this.#unreached);
    this.#rank = new Int32Array(network.nodes);
    this.#next = new Int32Array(network.nodes);
    this.#previous = new Int32Array(network.nodes);
  }

  /** Updates all prices. Returns false if some excess cannot reach a node that lacks flow. No flow exists then. */
  run(epsilon: number): boolean {
    this.#begin();
    let rank = 0;
    for (; rank < this.#unreached && this.#left > 0; rank++) {
      for (let node = this.#bucket[rank] ?? NONE; node >= 0 && this.#left > 0; node = this.#bucket[rank] ?? NONE) {
        this.#remove(node, rank);
        this.#scan(node, rank, epsilon);
        if ((this.#network.excess[node] ?? 0) > 0) this.#left--;
        this.#rank[node] = -1 - rank;
      }
    }
    if (this.#left > 0) return false;
    this.#lower(Math.max(0, rank - 1), epsilon);
    return true;
  }

  #begin(): void {
    const { excess } = this.#network;
    this.#rank.fill(this.#unreached);
    this.#bucket.fill(NONE);
    this.#left = 0;
    for (let node = 0; node < this.#rank.length; node++) {
      const amount = excess[node] ?? 0;
      if (amount > 0) this.#left++;
      else if (amount < 0) this.#insert(node, 0);
    }
  }

  /** Ranks the nodes from which a half arc leads to this one. */
  #scan(node: number, rank: number, epsilon: number): void {
    const { start, head, reverse, residual, cost, price } = this.#network;
    const ranks = this.#rank;
    const last = this.#unreached - 1;
    const here = price[node] ?? 0;
    const end = start[node + 1] ?? 0;
    for (let half = start[node] ?? 0; half < end; half++) {
      const other = head[half] ?? 0;
      const before = ranks[other] ?? 0;
      if (before <= rank || residual[reverse[half] ?? 0] === 0) continue;
      const reduced = (price[other] ?? 0) - (cost[half] ?? 0) - here;
      const after = reduced < 0 ? rank : Math.min(last, rank + 1 + Math.floor(reduced / epsilon));
      if (after >= before) continue;
      if (before <= last) this.#remove(other, before);
      this.#insert(other, after);
    }
  }

  #insert(node: number, rank: number): void {
    const next = this.#bucket[rank] ?? NONE;
    this.#rank[node] = rank;
    this.#next[node] = next;
    this.#previous[node] = NONE;
    if (next >= 0) this.#previous[next] = node;
    this.#bucket[rank] = node;
  }

  #remove(node: number, rank: number): void {
    const [next, previous] = [this.#next[node] ?? NONE, this.#previous[node] ?? NONE];
    if (previous >= 0) this.#next[previous] = next;
    else this.#bucket[rank] = next;
    if (next >= 0) this.#previous[next] = previous;
  }

  #lower(farthest: number, epsilon: number): void {
    const { price, current, start } = this.#network;
    for (let node = 0; node < price.length; node++) {
      const rank = this.#rank[node] ?? 0;
      const steps = rank < 0 ? -1 - rank : Math.min(rank, farthest);
      if (steps > 0) this.#network.setPrice(node, (price[node] ?? 0) - steps * epsilon);
      current[node] = start[node] ?? 0;
    }
  }
}
