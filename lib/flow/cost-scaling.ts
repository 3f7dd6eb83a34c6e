import type { FlowGraph } from './flow-graph.ts';
import { PriceUpdate } from './price-update.ts';
import type { Outcome } from './primal-dual.ts';
import { ScaledNetwork } from './scaled-network.ts';

/** The divisor of ε in each refinement. Measured, see ADR 26. */
const ALPHA = 5;
/** The first ε is the greatest cost divided by this. In a settled graph with partial flow, most prices are already nearly right. */
const HEAD_START = 64;
/** The number of relabels between two global price updates, as a multiple of the number of nodes. */
const UPDATE_AFTER = 2;

/**
 * Cost scaling with push-relabel (Goldberg 1997; Bünnagel, Korte and Vygen 1998). It computes ε-optimal flows for decreasing ε. The flow
 * for ε = 1 is optimal. Excess is pushed along half arcs of negative reduced cost. A node without such a half arc is relabelled: its price
 * is lowered to the highest at which it has one. With look-ahead, a push to a node that cannot pass on the flow relabels that node instead.
 */
export class CostScaling {
  readonly #network: ScaledNetwork;
  readonly #update: PriceUpdate;
  /** A stack of the nodes with excess. */
  readonly #active: Int32Array;
  #activeSize = 0;
  readonly #interval: number;
  #epsilon = 1;
  #relabels = 0;

  /** Requires a settled graph. */
  constructor(graph: FlowGraph) {
    this.#network = new ScaledNetwork(graph);
    this.#update = new PriceUpdate(this.#network);
    this.#interval = UPDATE_AFTER * graph.nodes + 100;
    this.#active = new Int32Array(graph.nodes);
  }

  /**
   * Writes an optimal flow and its potentials to the graph. Returns `infeasible` if no flow exists, or `unfinished` if a scaled price
   * exceeds 2^52. In both cases the graph is unchanged.
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

  /** Pushes all excess of a node onward and relabels the node as often as needed, until a price update is due. */
  #discharge(node: number): void {
    const { start, current, excess } = this.#network;
    const end = start[node + 1] ?? 0;
    while ((excess[node] ?? 0) > 0) {
      if (current[node] === end) this.#relabel(node);
      if (this.#isDue || !this.#network.exact) break;
      this.#pushOn(node, end);
    }
  }

  /** Pushes along half arcs of negative reduced cost, starting with the current one, until no excess or no half arc remains. */
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

  /** Pushes flow to the head of a half arc. The caller updates the excess of its tail. */
  #push(half: number, amount: number): void {
    const { head, reverse, residual, excess } = this.#network;
    const [node, back] = [head[half] ?? 0, reverse[half] ?? 0];
    residual[half] = (residual[half] ?? 0) - amount;
    residual[back] = (residual[back] ?? 0) + amount;
    const before = excess[node] ?? 0;
    excess[node] = before + amount;
    if (before <= 0 && before + amount > 0) this.#active[this.#activeSize++] = node;
  }

  /** Whether a node lacks flow or can pass it on. Relabels a node that cannot. It then accepts flow if its new price is above `base`. */
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
