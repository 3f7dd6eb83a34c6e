import type { FlowGraph } from './flow-graph.ts';

/** With prices below this, reduced costs may be inexact. */
const MIN_PRICE = -(2 ** 52);

/**
 * The residual network of a graph as a forward star, with costs multiplied by n + 1, so that an ε-optimal flow for ε = 1 is optimal
 * (Goldberg, "An efficient implementation of a scaling minimum-cost flow algorithm", 1997, section 2).
 *
 * The half arcs that leave node v are adjacent in memory, from start[v] to start[v + 1] - 1. `reverse` leads to the other half. The reduced
 * cost of half arc h = (v, w) is cost[h] + price[v] - price[w].
 */
export class ScaledNetwork {
  readonly nodes: number;
  /** The factor of the costs, n + 1. */
  readonly scale: number;
  readonly start: Int32Array;
  readonly head: Int32Array;
  readonly reverse: Int32Array;
  readonly residual: Float64Array;
  readonly cost: Float64Array;
  /** The price of each node. */
  readonly price: Float64Array;
  readonly excess: Float64Array;
  /** The half arc at which each node continues its search for one with negative reduced cost. */
  readonly current: Int32Array;
  /** Whether all prices so far, and therefore all reduced costs, are exact doubles. */
  exact = true;

  readonly #graph: FlowGraph;
  /** The half arc from tail to head of each arc. */
  readonly #forward: Int32Array;

  /** Copies a settled graph. */
  constructor(graph: FlowGraph) {
    this.#graph = graph;
    this.nodes = graph.nodes;
    this.scale = graph.nodes + 1;
    this.start = startsOf(graph);
    const halves = this.start[graph.nodes] ?? 0;
    this.head = new Int32Array(halves);
    this.reverse = new Int32Array(halves);
    this.residual = new Float64Array(halves);
    this.cost = new Float64Array(halves);
    this.price = graph.potential.slice(0, graph.nodes).map((potential) => potential * this.scale);
    this.excess = graph.excess.slice(0, graph.nodes);
    this.current = this.start.slice(0, graph.nodes);
    this.#forward = new Int32Array(graph.arcs);
    this.#copyArcs();
    this.exact = this.greatestCost() <= -MIN_PRICE && this.price.every((price) => price >= MIN_PRICE);
  }

  /** The greatest cost of a half arc, multiplied by the scale. */
  greatestCost(): number {
    return this.cost.reduce((greatest, cost) => Math.max(greatest, cost), 0);
  }

  /** Sets the price of a node, and clears `exact` if the price is outside the exact range. */
  setPrice(node: number, price: number): void {
    this.price[node] = price;
    if (price < MIN_PRICE) this.exact = false;
  }

  /** Saturates all half arcs of negative reduced cost. */
  saturate(): void {
    const { start, head, reverse, residual, cost, price, excess } = this;
    for (let node = 0; node < this.nodes; node++) {
      const here = price[node] ?? 0;
      const end = start[node + 1] ?? 0;
      for (let half = start[node] ?? 0; half < end; half++) {
        const amount = residual[half] ?? 0;
        const other = head[half] ?? 0;
        if (amount === 0 || (cost[half] ?? 0) + here >= (price[other] ?? 0)) continue;
        residual[half] = 0;
        const back = reverse[half] ?? 0;
        residual[back] = (residual[back] ?? 0) + amount;
        excess[node] = (excess[node] ?? 0) - amount;
        excess[other] = (excess[other] ?? 0) + amount;
      }
    }
  }

  /** Writes an optimal flow and its potentials to the graph. */
  write(): void {
    const { residual, excess, potential } = this.#graph;
    for (let arc = 0; arc < this.#forward.length; arc++) {
      const half = this.#forward[arc] ?? -1;
      if (half < 0) continue;
      residual[2 * arc] = this.residual[half] ?? 0;
      residual[2 * arc + 1] = this.residual[this.reverse[half] ?? 0] ?? 0;
    }
    excess.set(this.excess);
    potential.set(this.potentials());
  }

  /**
   * Potentials, in units of cost, at which no half arc with residual capacity has a negative reduced cost. The flow is ε-optimal for ε = 1.
   *
   * The n prices leave a residue u modulo n + 1 unused. Let p - u = (n+1)·F + f, so that 1 ≤ f ≤ n. For a half arc (v, w) with residual
   * capacity, (n+1)·(c + F(v) - F(w)) = (reduced cost) - f(v) + f(w) ≥ -1 - (n-1) > -(n+1). The left side is a multiple of n + 1, so it is
   * not negative. F are therefore such potentials.
   */
  potentials(): Float64Array {
    const { scale, price } = this;
    const used = new Uint8Array(scale);
    for (const value of price) used[value - scale * Math.floor(value / scale)] = 1;
    const unused = used.indexOf(0);
    return price.map((value) => Math.floor((value - unused) / scale));
  }

  #copyArcs(): void {
    const graph = this.#graph;
    const free = this.start.slice();
    for (let arc = 0; arc < graph.arcs; arc++) {
      const [tail, head] = [graph.tailOf(arc), graph.headOf(arc)];
      if (head < 0) {
        this.#forward[arc] = -1;
        continue;
      }
      const half = free[tail] ?? 0;
      free[tail] = half + 1;
      const back = free[head] ?? 0;
      free[head] = back + 1;
      this.#forward[arc] = half;
      this.#copyHalf(half, back, 2 * arc);
      this.#copyHalf(back, half, 2 * arc + 1);
    }
  }

  #copyHalf(half: number, back: number, source: number): void {
    const graph = this.#graph;
    this.head[half] = graph.head[source] ?? 0;
    this.reverse[half] = back;
    this.residual[half] = graph.residual[source] ?? 0;
    this.cost[half] = (graph.cost[source] ?? 0) * this.scale;
  }
}

/** Returns the number of half arcs that leave the nodes before each node, with one more entry for the total. */
function startsOf(graph: FlowGraph): Int32Array {
  const start = new Int32Array(graph.nodes + 1);
  for (let half = 0; half < 2 * graph.arcs; half++) {
    const tail = graph.head[half ^ 1] ?? -1;
    if (tail >= 0) start[tail + 1] = (start[tail + 1] ?? 0) + 1;
  }
  for (let node = 0; node < graph.nodes; node++) start[node + 1] = (start[node + 1] ?? 0) + (start[node] ?? 0);
  return start;
}
