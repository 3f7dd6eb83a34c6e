import { extended, roomFor } from './columns.ts';
import { exact, exactSum, FlowRangeError } from './exact.ts';

/** The bounds of an arc's flow, and its cost per unit: integers below 2^53. */
export interface ArcBounds {
  /** The minimum flow, 0 if absent. */
  readonly lower?: number;
  readonly capacity: number;
  readonly cost: number;
}

/**
 * A network with supplies, and a pseudoflow that is optimal for its excesses. It is stored as a residual network for minimum-cost flow
 * (Ahuja, Magnanti and Orlin, "Network Flows", 1993, chapter 9).
 *
 * Arc `a` consists of two half arcs. `2a` leads from its tail to its head and `2a + 1` back, so the reverse of half arc `h` is `h ^ 1`. The
 * half arcs that leave a node form a linked list (`first`, `next`) in insertion order. The reduced cost of half arc h = (v, w) is
 *
 *     c_π(h) = cost[h] + potential[v] - potential[w],
 *
 * and a flow without excess has minimum cost if and only if no half arc with residual capacity has a negative reduced cost. Changes are
 * recorded. `settle` restores this rule for the pseudoflow, which may create excess. A solver then sends the excess to nodes that lack
 * flow.
 *
 * The columns are public for the solvers. They are replaced when the graph grows, so a solver must read them again after each change.
 */
export class FlowGraph {
  /** One more than the highest node number, including removed nodes. */
  nodes = 0;
  /** One more than the highest arc number, including removed arcs. */
  arcs = 0;
  /** The first half arc of each node, or -1. */
  first = new Int32Array(0);
  /** The excess of each node: its supply plus the inflow of the pseudoflow minus the outflow. */
  excess = new Float64Array(0);
  potential = new Float64Array(0);
  supply = new Float64Array(0);
  /** The node that each half arc leads to, or -1 if the arc was removed. */
  head = new Int32Array(0);
  /** The next half arc that leaves the same node as each half arc, or -1. */
  next = new Int32Array(0);
  residual = new Float64Array(0);
  cost = new Float64Array(0);
  /** The lower bound of each arc's flow. */
  lower = new Float64Array(0);

  #previous = new Int32Array(0);
  /** The last half arc of each node, or -1. */
  #last = new Int32Array(0);
  /** The sum of |supply| and the capacities at each node, which bounds its excess. */
  #turnover = new Float64Array(0);
  #imbalance = 0;
  readonly #freeNodes: number[] = [];
  readonly #freeArcs: number[] = [];
  #freshNodes: number[] = [];
  #changedArcs: number[] = [];

  /** The sum of all supplies. A flow exists only if it is 0. */
  get imbalance(): number {
    return this.#imbalance;
  }

  /** Adds a node and returns its number, which a removed node may have had before. Throws FlowRangeError. */
  addNode(supply = 0): number {
    const node = this.#freeNodes.pop() ?? this.nodes++;
    if (node >= this.first.length) this.#growNodes();
    this.first[node] = this.#last[node] = -1;
    this.potential[node] = 0;
    this.#freshNodes.push(node);
    this.setSupply(node, supply);
    return node;
  }

  /** Removes a node with its supply and arcs. */
  removeNode(node: number): void {
    for (let h = this.first[node] ?? -1; h >= 0; h = this.first[node] ?? -1) this.removeArc(h >> 1);
    this.setSupply(node, 0);
    this.#freeNodes.push(node);
  }

  /** Sets the supply of a node: positive if it sends flow, negative if it receives flow. Throws FlowRangeError. */
  setSupply(node: number, supply: number): void {
    const subject = (): string => `the supply of node ${node}`;
    const before = this.supply[node] ?? 0;
    const difference = exact(supply, subject) - before;
    const imbalance = exactSum(this.#imbalance + difference, () => `${subject()} makes a sum`);
    this.#turn([node], Math.abs(supply) - Math.abs(before), subject);
    this.#imbalance = imbalance;
    this.supply[node] = supply;
    this.excess[node] = (this.excess[node] ?? 0) + difference;
  }

  /** Adds an arc and returns its number, which a removed arc may have had before. Throws FlowRangeError. */
  addArc(tail: number, head: number, { lower = 0, capacity, cost }: ArcBounds): number {
    const subject = (): string => `arc ${tail} -> ${head}`;
    if (exact(lower, subject) < 0 || exact(capacity, subject) < lower)
      throw new FlowRangeError(`${subject()}: no flow is within ${lower} and ${capacity}`);
    exact(cost, subject);
    this.#turn([tail, head], capacity, subject);
    const arc = this.#freeArcs.pop() ?? this.arcs++;
    if (2 * arc >= this.head.length) this.#growArcs();
    this.#link(2 * arc, tail, head);
    this.#link(2 * arc + 1, head, tail);
    this.lower[arc] = lower;
    this.residual[2 * arc] = capacity - lower;
    this.residual[2 * arc + 1] = 0;
    this.cost[2 * arc] = cost;
    this.cost[2 * arc + 1] = -cost;
    this.#move(arc, lower);
    this.#changedArcs.push(arc);
    return arc;
  }

  /** Removes an arc. Its flow becomes excess at the tail and a deficit at the head. */
  removeArc(arc: number): void {
    const capacity = this.capacityOf(arc);
    this.#move(arc, -this.flowOf(arc));
    this.#turn([this.tailOf(arc), this.headOf(arc)], -capacity);
    this.#unlink(2 * arc, this.tailOf(arc));
    this.#unlink(2 * arc + 1, this.headOf(arc));
    this.head[2 * arc] = this.head[2 * arc + 1] = -1;
    this.residual[2 * arc] = this.residual[2 * arc + 1] = this.lower[arc] = 0;
    this.#freeArcs.push(arc);
  }

  /** Changes the capacity of an arc. Throws FlowRangeError, also if the capacity is below the arc's lower bound. */
  setCapacity(arc: number, capacity: number): void {
    const subject = (): string => `arc ${this.tailOf(arc)} -> ${this.headOf(arc)}`;
    const before = this.capacityOf(arc);
    if (exact(capacity, subject) < (this.lower[arc] ?? 0))
      throw new FlowRangeError(`${subject()}: no flow is within ${this.lower[arc]} and ${capacity}`);
    this.#turn([this.tailOf(arc), this.headOf(arc)], capacity - before, subject);
    const surplus = Math.max(0, this.flowOf(arc) - capacity);
    this.residual[2 * arc + 1] = (this.residual[2 * arc + 1] ?? 0) - surplus;
    this.residual[2 * arc] = (this.residual[2 * arc] ?? 0) + capacity - before + surplus;
    this.#move(arc, -surplus);
    this.#changedArcs.push(arc);
  }

  /** Changes the cost per unit on an arc. Throws FlowRangeError. */
  setCost(arc: number, cost: number): void {
    exact(cost, () => `arc ${this.tailOf(arc)} -> ${this.headOf(arc)}`);
    this.cost[2 * arc] = cost;
    this.cost[2 * arc + 1] = -cost;
    this.#changedArcs.push(arc);
  }

  tailOf = (arc: number): number => this.head[2 * arc + 1] ?? -1;
  headOf = (arc: number): number => this.head[2 * arc] ?? -1;
  flowOf = (arc: number): number => (this.lower[arc] ?? 0) + (this.residual[2 * arc + 1] ?? 0);
  capacityOf = (arc: number): number => this.flowOf(arc) + (this.residual[2 * arc] ?? 0);

  /** Resets flow and potentials. The flow of each arc is then its lower bound, or its capacity if its cost is negative. */
  reset(): void {
    this.potential.fill(0);
    this.excess.set(this.supply);
    for (let arc = 0; arc < this.arcs; arc++) {
      if (this.headOf(arc) < 0) continue;
      this.residual[2 * arc] = this.capacityOf(arc) - (this.lower[arc] ?? 0);
      this.residual[2 * arc + 1] = 0;
      this.#move(arc, this.lower[arc] ?? 0);
      this.#settleArc(arc);
    }
    this.#changedArcs = [];
    this.#freshNodes = [];
  }

  /** Makes the pseudoflow optimal for its excesses after changes, in time proportional to the number of changes. */
  settle(): void {
    for (const node of this.#freshNodes) this.#price(node);
    for (const arc of this.#changedArcs) if (this.headOf(arc) >= 0) this.#settleArc(arc);
    this.#freshNodes = [];
    this.#changedArcs = [];
  }

  /**
   * The cost of the flow: the sum of cost · flow over all arcs. Throws a FlowRangeError that names the arc at which the sum exceeds 2^53.
   */
  totalCost(): number {
    let total = 0;
    for (let arc = 0; arc < this.arcs; arc++) {
      if (this.headOf(arc) < 0) continue;
      const subject = (): string => `the cost of arc ${this.tailOf(arc)} -> ${this.headOf(arc)} makes a sum`;
      const product = exactSum(this.flowOf(arc) * (this.cost[2 * arc] ?? 0), subject);
      total = exactSum(total + product, subject);
    }
    return total;
  }

  /** Saturates the half arc of this arc that has a negative reduced cost, if any. */
  #settleArc(arc: number): void {
    const [tail, head] = [this.tailOf(arc), this.headOf(arc)];
    const reduced = (this.cost[2 * arc] ?? 0) + (this.potential[tail] ?? 0) - (this.potential[head] ?? 0);
    if (reduced === 0) return;
    const half = reduced < 0 ? 2 * arc : 2 * arc + 1;
    const amount = this.residual[half] ?? 0;
    if (amount === 0) return;
    this.residual[half] = 0;
    this.residual[half ^ 1] = (this.residual[half ^ 1] ?? 0) + amount;
    this.#move(arc, reduced < 0 ? amount : -amount);
  }

  /**
   * Chooses the potential of a new node: the lowest at which no half arc out of it has a negative reduced cost. Without any, the highest at
   * which none into it has.
   */
  #price(node: number): void {
    let [least, highest] = [-Infinity, Infinity];
    for (let h = this.first[node] ?? -1; h >= 0; h = this.next[h] ?? -1) {
      const level = (this.potential[this.head[h] ?? 0] ?? 0) - (this.cost[h] ?? 0);
      if ((this.residual[h] ?? 0) > 0) least = Math.max(least, level);
      if ((this.residual[h ^ 1] ?? 0) > 0) highest = Math.min(highest, level);
    }
    const price = Number.isFinite(least) ? least : highest;
    if (Number.isFinite(price)) this.potential[node] = price;
  }

  #move(arc: number, amount: number): void {
    if (amount === 0) return;
    const [tail, head] = [this.tailOf(arc), this.headOf(arc)];
    this.excess[tail] = (this.excess[tail] ?? 0) - amount;
    this.excess[head] = (this.excess[head] ?? 0) + amount;
  }

  /** Changes the turnover of nodes. If one might then be inexact, throws a FlowRangeError and changes nothing. */
  #turn(nodes: readonly number[], difference: number, subject = (): string => ''): void {
    for (const node of nodes)
      exactSum(
        (this.#turnover[node] ?? 0) + difference,
        () => `${subject()} makes the sum of capacities at node ${node}`,
      );
    for (const node of nodes) this.#turnover[node] = (this.#turnover[node] ?? 0) + difference;
  }

  #link(half: number, from: number, to: number): void {
    const previous = this.#last[from] ?? -1;
    this.head[half] = to;
    this.next[half] = -1;
    this.#previous[half] = previous;
    if (previous >= 0) this.next[previous] = half;
    else this.first[from] = half;
    this.#last[from] = half;
  }

  #unlink(half: number, from: number): void {
    const [next, previous] = [this.next[half] ?? -1, this.#previous[half] ?? -1];
    if (next >= 0) this.#previous[next] = previous;
    else this.#last[from] = previous;
    if (previous >= 0) this.next[previous] = next;
    else this.first[from] = next;
  }

  #growNodes(): void {
    const length = roomFor(this.nodes);
    this.first = extended(this.first, length, -1);
    this.#last = extended(this.#last, length, -1);
    this.excess = extended(this.excess, length);
    this.potential = extended(this.potential, length);
    this.supply = extended(this.supply, length);
    this.#turnover = extended(this.#turnover, length);
  }

  #growArcs(): void {
    const length = roomFor(this.arcs);
    this.head = extended(this.head, 2 * length, -1);
    this.next = extended(this.next, 2 * length, -1);
    this.#previous = extended(this.#previous, 2 * length, -1);
    this.residual = extended(this.residual, 2 * length);
    this.cost = extended(this.cost, 2 * length);
    this.lower = extended(this.lower, length);
  }
}
