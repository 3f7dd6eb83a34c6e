import { exactSum } from './exact.ts';
import type { FlowGraph } from './flow-graph.ts';
import type { Solution } from './optimality.ts';
import { SpanningTree } from './spanning-tree.ts';

/** The states of an arc outside the tree. Each is the sign of the reduced cost at which the arc stays outside. */
const AT_LOWER = 1;
const AT_CAPACITY = -1;
const IN_TREE = 0;
/** The minimum number of arcs to examine for the best entering arc. */
const MIN_BLOCK = 20;

/**
 * Solves a graph with the network simplex method and leaves the graph unchanged. Returns undefined if no flow exists. It checks the other
 * solvers, so it shares no code with them. Throws a FlowRangeError if its sums may not be exact.
 *
 * It uses block pivot search, and strongly feasible trees to prevent cycling (Cunningham 1976; Kiraly and Kovacs, "Efficient
 * implementations of minimum-cost flow algorithms", 2012).
 */
export function networkSimplex(graph: FlowGraph): Solution | undefined {
  return graph.imbalance === 0 ? new NetworkSimplex(graph).solve() : undefined;
}

/** The ends of the entering arc, in the direction in which its flow increases, and the leaving arc. */
interface Pivot {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  /** The node below the leaving arc, or -1 if the entering arc itself limits the flow. */
  readonly cut: number;
  /** Whether the leaving arc is on the path from the apex to `from`. */
  readonly before: boolean;
  readonly apex: number;
}

/** Arc `m + v` connects node v and the root and carries the supply of v. The initial tree consists of these arcs only. */
class NetworkSimplex {
  readonly #graph: FlowGraph;
  readonly #arcs: number;
  readonly #root: number;
  readonly #tail: Int32Array;
  readonly #head: Int32Array;
  readonly #cost: Float64Array;
  /** The flow of each arc above its lower bound, followed by the capacity for it. */
  readonly #flow: Float64Array;
  readonly #capacity: Float64Array;
  readonly #state: Int8Array;
  readonly #potential: Float64Array;
  readonly #tree: SpanningTree;
  readonly #block: number;
  #position = 0;

  constructor(graph: FlowGraph) {
    const [arcs, nodes] = [graph.arcs, graph.nodes];
    this.#graph = graph;
    this.#arcs = arcs;
    this.#root = nodes;
    this.#tail = new Int32Array(arcs + nodes);
    this.#head = new Int32Array(arcs + nodes);
    this.#cost = new Float64Array(arcs + nodes);
    this.#flow = new Float64Array(arcs + nodes);
    this.#capacity = new Float64Array(arcs + nodes);
    this.#state = new Int8Array(arcs + nodes);
    this.#potential = new Float64Array(nodes + 1);
    this.#block = Math.max(MIN_BLOCK, Math.floor(Math.sqrt(arcs)));
    this.#copyArcs();
    this.#addArtificialArcs();
    this.#tree = new SpanningTree(nodes + 1, (node) => arcs + node);
  }

  solve(): Solution | undefined {
    for (let entering = this.#entering(); entering >= 0; entering = this.#entering()) {
      const pivot = this.#pivot(entering);
      this.#augment(entering, pivot);
      this.#exchange(entering, pivot);
    }
    if (this.#flow.subarray(this.#arcs).some((amount) => amount > 0)) return undefined;
    const flow = this.#flow.slice(0, this.#arcs).map((amount, arc) => amount + (this.#graph.lower[arc] ?? 0));
    return { flow, potential: this.#potential.slice(0, this.#root) };
  }

  #copyArcs(): void {
    const graph = this.#graph;
    for (let arc = 0; arc < this.#arcs; arc++) {
      if (graph.headOf(arc) < 0) continue;
      this.#tail[arc] = graph.tailOf(arc);
      this.#head[arc] = graph.headOf(arc);
      this.#cost[arc] = graph.cost[2 * arc] ?? 0;
      this.#capacity[arc] = graph.capacityOf(arc) - (graph.lower[arc] ?? 0);
      this.#state[arc] = AT_LOWER;
    }
  }

  /** Adds the artificial arcs. Their cost exceeds that of any path. */
  #addArtificialArcs(): void {
    const graph = this.#graph;
    const greatest = this.#cost.reduce((sum, cost) => Math.max(sum, Math.abs(cost)), 0);
    const cost = exactSum((greatest + 1) * (this.#root + 1), () => 'the cost of a path may be a sum');
    const rest = graph.supply.slice(0, this.#root);
    for (let arc = 0; arc < this.#arcs; arc++) {
      if (graph.headOf(arc) < 0) continue;
      const lower = graph.lower[arc] ?? 0;
      rest[graph.tailOf(arc)] = (rest[graph.tailOf(arc)] ?? 0) - lower;
      rest[graph.headOf(arc)] = (rest[graph.headOf(arc)] ?? 0) + lower;
    }
    for (const [node, supply] of rest.entries()) {
      const arc = this.#arcs + node;
      const sends = supply >= 0;
      this.#tail[arc] = sends ? node : this.#root;
      this.#head[arc] = sends ? this.#root : node;
      this.#cost[arc] = sends ? 0 : cost;
      this.#flow[arc] = Math.abs(supply);
      this.#capacity[arc] = Infinity;
      this.#potential[node] = sends ? 0 : cost;
    }
  }

  #reducedCost(arc: number): number {
    const [tail, head] = [this.#tail[arc] ?? 0, this.#head[arc] ?? 0];
    return (this.#cost[arc] ?? 0) + (this.#potential[tail] ?? 0) - (this.#potential[head] ?? 0);
  }

  /** The arc that violates optimality most in the next block that has any, or -1 if no arc does. */
  #entering(): number {
    let [best, worst, left] = [-1, 0, this.#block];
    for (let looked = 0; looked < this.#arcs; looked++) {
      const arc = this.#position++;
      if (this.#position >= this.#arcs) this.#position = 0;
      const reduced = (this.#state[arc] ?? 0) * this.#reducedCost(arc);
      if (reduced < worst) [best, worst] = [arc, reduced];
      if (--left > 0) continue;
      if (best >= 0) break;
      left = this.#block;
    }
    return best;
  }

  /**
   * Follows the cycle that an entering arc closes. If several arcs limit the flow, the last one in its direction, starting at the apex,
   * leaves. The tree then stays strongly feasible.
   */
  #pivot(entering: number): Pivot {
    const { parent, depth } = this.#tree;
    const grows = this.#state[entering] === AT_LOWER;
    const [tail, head] = [this.#tail[entering] ?? 0, this.#head[entering] ?? 0];
    const [from, to] = grows ? [tail, head] : [head, tail];
    let [amount, cut, before] = [this.#capacity[entering] ?? 0, -1, false];
    let [left, right] = [from, to];
    while (left !== right) {
      if ((depth[left] ?? 0) >= (depth[right] ?? 0)) {
        const room = this.#room(left, true);
        if (room < amount) [amount, cut, before] = [room, left, true];
        left = parent[left] ?? 0;
      } else {
        const room = this.#room(right, false);
        if (room <= amount) [amount, cut, before] = [room, right, false];
        right = parent[right] ?? 0;
      }
    }
    return { from, to, amount, cut, before, apex: left };
  }

  /** The residual capacity between a node and its parent, down to the node or up from it. */
  #room(node: number, down: boolean): number {
    const arc = this.#tree.arc[node] ?? 0;
    const flow = this.#flow[arc] ?? 0;
    return (this.#head[arc] === node) === down ? (this.#capacity[arc] ?? 0) - flow : flow;
  }

  #augment(entering: number, { from, to, amount, apex }: Pivot): void {
    if (amount === 0) return;
    const sign = this.#state[entering] === AT_LOWER ? 1 : -1;
    this.#flow[entering] = (this.#flow[entering] ?? 0) + sign * amount;
    for (let node = from; node !== apex; node = this.#tree.parent[node] ?? 0) this.#send(node, true, amount);
    for (let node = to; node !== apex; node = this.#tree.parent[node] ?? 0) this.#send(node, false, amount);
  }

  #send(node: number, down: boolean, amount: number): void {
    const arc = this.#tree.arc[node] ?? 0;
    this.#flow[arc] = (this.#flow[arc] ?? 0) + ((this.#head[arc] === node) === down ? amount : -amount);
  }

  /** Replaces the leaving arc in the tree by the entering one, and updates the potentials of the subtree that moves. */
  #exchange(entering: number, { from, to, cut, before }: Pivot): void {
    if (cut < 0) {
      this.#state[entering] = -(this.#state[entering] ?? 0);
      return;
    }
    const leaving = this.#tree.arc[cut] ?? 0;
    this.#state[leaving] = this.#flow[leaving] === 0 ? AT_LOWER : AT_CAPACITY;
    this.#state[entering] = IN_TREE;
    const [node, parent] = before ? [from, to] : [to, from];
    const reduced = this.#reducedCost(entering);
    const change = this.#tail[entering] === node ? -reduced : reduced;
    const potential = this.#potential;
    this.#tree.move(cut, [node, entering, parent], (moved) => {
      potential[moved] = (potential[moved] ?? 0) + change;
    });
  }
}
