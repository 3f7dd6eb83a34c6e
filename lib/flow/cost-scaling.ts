import type { FlowGraph } from './flow-graph.ts';
import { PriceUpdate } from './price-update.ts';
import type { Outcome } from './primal-dual.ts';
import { ScaledNetwork } from './scaled-network.ts';

/** ε is divided by this in each refinement; measured, see ADR 26. */
const ALPHA = 5;
/** The first ε is the greatest cost divided by this: a settled graph with partial flow has most prices about right. */
const HEAD_START = 64;
/** Relabels between two global price updates, as a multiple of the nodes. */
const UPDATE_AFTER = 2;

/**
 * Cost scaling by push-relabel (Goldberg 1997; Bünnagel, Korte and Vygen 1998): makes an ε-optimal flow for a falling ε, until ε = 1 and the
 * flow is optimal. Excess is pushed over half arcs of negative reduced cost; a node without one is relabelled, which lowers its price to the
 * highest at which it has one. It looks ahead: a push to a node that could not pass it on relabels that node instead.
 */
export class CostScaling {
  readonly #network: ScaledNetwork;
  readonly #update: PriceUpdate;
  /** Nodes with excess, the last one first. */
  readonly #active: Int32Array;
  #activeSize = 0;
  readonly #interval: number;
  #epsilon = 1;
  #relabels = 0;

  /** Takes a settled graph. */
  constructor(graph: FlowGraph) {
    this.#network = new ScaledNetwork(graph);
    this.#update = new PriceUpdate(this.#network);
    this.#interval = UPDATE_AFTER * graph.nodes + 100;
    this.#active = new Int32Array(graph.nodes);
  }

  /**
   * Writes an optimal flow and its potentials to the graph. Returns `infeasible` if no flow exists, and `unfinished` if a scaled price passes
   * 2^52; then the graph is unchanged.
   */
  run(): Outcome {
    const network = this.#network;
    for (let epsilon = network.greatestCost() / HEAD_START; network.exact; epsilon /= ALPHA) {
      this.#epsilon = Math.max(1, Math.floor(epsilon));
      if (!this.#refine()) return network.exact ? 'infeasible' : 'unfinished';
      if (this.#epsilon > 1) continue;
      network.write();
      return 'optimal';
    }
    return 'unfinished';
  }

  #refine(): boolean {
    this.#network.saturate();
    do {
      this.#relabels = 0;
      if (!this.#update.run(this.#epsilon)) return false;
      this.#collect();
      while (this.#activeSize > 0 && !this.#isDue) this.#discharge(this.#active[--this.#activeSize] ?? 0);
      if (!this.#network.exact) return false;
    } while (this.#isDue);
    return true;
  }

  /** Whether the next global price update is due. */
  get #isDue(): boolean {
    return this.#relabels >= this.#interval;
  }

  #collect(): void {
    const { excess, nodes } = this.#network;
    this.#activeSize = 0;
    for (let node = nodes - 1; node >= 0; node--) if ((excess[node] ?? 0) > 0) this.#active[this.#activeSize++] = node;
  }

  /** Pushes the excess of a node on, and relabels the node as often as that needs, until a price update is due. */
  #discharge(node: number): void {
    const { start, current, excess } = this.#network;
    const end = start[node + 1] ?? 0;
    while ((excess[node] ?? 0) > 0) {
      if (current[node] === end) this.#relabel(node);
      if (this.#isDue || !this.#network.exact) break;
      this.#pushOn(node, end);
    }
  }

  /** Pushes over half arcs of negative reduced cost, from the current one on, until no excess or no half arc is left. */
  #pushOn(node: number, end: number): void {
    const { head, residual, cost, price, excess, current } = this.#network;
    const here = price[node] ?? 0;
    let rest = excess[node] ?? 0;
    let half = current[node] ?? 0;
    for (; half < end; half++) {
      const room = residual[half] ?? 0;
      if (room === 0) continue;
      const other = head[half] ?? 0;
      const base = (cost[half] ?? 0) + here;
      if (base >= (price[other] ?? 0) || !this.#takes(other, base)) continue;
      const amount = Math.min(rest, room);
      this.#push(half, amount);
      rest -= amount;
      if (rest === 0) break;
    }
    excess[node] = rest;
    current[node] = half;
  }

  /** Pushes to the head of a half arc; the caller keeps the excess of its tail. */
  #push(half: number, amount: number): void {
    const { head, reverse, residual, excess } = this.#network;
    const [node, back] = [head[half] ?? 0, reverse[half] ?? 0];
    residual[half] = (residual[half] ?? 0) - amount;
    residual[back] = (residual[back] ?? 0) + amount;
    const before = excess[node] ?? 0;
    excess[node] = before + amount;
    if (before <= 0 && before + amount > 0) this.#active[this.#activeSize++] = node;
  }

  /** Whether a node lacks flow or could pass it on. If not it is relabelled, and takes flow if that leaves its price above `base`. */
  #takes(node: number, base: number): boolean {
    const { start, head, residual, cost, price, excess, current } = this.#network;
    if ((excess[node] ?? 0) < 0) return true;
    const here = price[node] ?? 0;
    const end = start[node + 1] ?? 0;
    let half = current[node] ?? 0;
    for (; half < end; half++)
      if ((residual[half] ?? 0) > 0 && (cost[half] ?? 0) + here < (price[head[half] ?? 0] ?? 0)) break;
    current[node] = half;
    if (half === end) this.#relabel(node);
    return base < (price[node] ?? 0);
  }

  /** Lowers the price of a node to ε below the highest at which none of its half arcs has a negative reduced cost. */
  #relabel(node: number): void {
    const { start, head, residual, cost, price, current } = this.#network;
    const epsilon = this.#epsilon;
    const here = price[node] ?? 0;
    const end = start[node + 1] ?? 0;
    let [best, found] = [-Infinity, -1];
    for (let half = start[node] ?? 0; half < end; half++) {
      if (residual[half] === 0) continue;
      const level = (price[head[half] ?? 0] ?? 0) - (cost[half] ?? 0);
      if (level <= best) continue;
      if (level - epsilon >= best) found = half;
      best = level;
      if (level >= here) break;
    }
    this.#relabels++;
    current[node] = found < 0 ? (start[node] ?? 0) : found;
    if (found >= 0) this.#network.setPrice(node, best - epsilon);
  }
}
