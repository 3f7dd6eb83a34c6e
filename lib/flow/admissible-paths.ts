import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
import type { FlowGraph } from './flow-graph.ts';

/** The states of a node in a round, as offsets from three times the round's number. */
const OPEN = 0;
const ON_PATH = 1;
const DEAD = 2;

/**
 * Finds paths over admissible half arcs: those with residual capacity and reduced cost 0. It uses depth-first search with current arcs
 * (Dinic 1970), which finds the blocking flows of a primal-dual method (Ahuja, Magnanti and Orlin, "Network Flows", 1993, section 9.8).
 *
 * A node from which the search backtracked stays dead for the round. It reaches no end, so no path contains it, and sending flow along a
 * path cannot revive it. A change of potentials begins another round.
 */
export class AdmissiblePaths {
  /** The number of half arcs that all searches have examined. */
  work = 0;

  readonly #graph: FlowGraph;
  readonly #entering: Int32Array;
  /** For each node, three times the last round that visited it plus its state in that round. */
  readonly #state: Int32Array;
  readonly #current: Int32Array;
  #round = 3;

  /** Creates a search for a graph. The graph must not have more nodes than `entering` has elements. */
  constructor(graph: FlowGraph, entering: Int32Array) {
    this.#graph = graph;
    this.#entering = entering;
    this.#state = new Int32Array(entering.length);
    this.#current = new Int32Array(entering.length);
  }

  /** Begins another round. Call it after potentials have changed, or flows other than those on found paths. */
  refresh(): void {
    this.#round += 3;
    if (this.#round < MAX_INT32 - 2) return;
    this.#state.fill(0);
    this.#round = 3;
  }

  /**
   * Lowers the potential of the source until one of its half arcs is admissible: a dual ascent by one node, as in relaxation (Bertsekas
   * 1985). Returns a node with negative excess that a path reaches, or -1. `entering` then holds the path.
   */
  run(source: number): number {
    if (!this.#lower(source)) return -1;
    const { excess, head } = this.#graph;
    const [state, current, entering, round] = [this.#state, this.#current, this.#entering, this.#round];
    let node = source;
    this.#open(source);
    while (true) {
      const half = this.#advance(node);
      if (half >= 0) {
        const other = head[half] ?? 0;
        entering[other] = half;
        if ((excess[other] ?? 0) < 0) return this.#leave(source, other);
        node = other;
        continue;
      }
      state[node] = round + DEAD;
      if (node === source) return -1;
      node = head[(entering[node] ?? 0) ^ 1] ?? 0;
      current[node] = this.#graph.next[current[node] ?? 0] ?? -1;
    }
  }

  #lower(source: number): boolean {
    const { first, next, head, residual, cost, potential } = this.#graph;
    const price = potential[source] ?? 0;
    let least = Infinity;
    for (let h = first[source] ?? -1; h >= 0 && least > 0; h = next[h] ?? -1) {
      if (residual[h] === 0) continue;
      least = Math.min(least, (cost[h] ?? 0) + price - (potential[head[h] ?? 0] ?? 0));
    }
    if (least === Infinity) return false;
    potential[source] = price - least;
    return true;
  }

  #open(source: number): void {
    this.#state[source] = this.#round + ON_PATH;
    this.#current[source] = this.#graph.first[source] ?? -1;
  }

  /**
   * Advances the current arc of a node to a half arc that continues the path, and adds its head to the path. Returns the half arc, or -1.
   */
  #advance(node: number): number {
    const { first, next, head, residual, cost, potential } = this.#graph;
    const [state, current, round] = [this.#state, this.#current, this.#round];
    const price = potential[node] ?? 0;
    let work = 0;
    let half = current[node] ?? -1;
    for (; half >= 0; half = next[half] ?? -1) {
      work++;
      if (residual[half] === 0) continue;
      const other = head[half] ?? 0;
      const seen = (state[other] ?? 0) - round;
      if (seen > OPEN || (cost[half] ?? 0) + price !== potential[other]) continue;
      if (seen < OPEN) current[other] = first[other] ?? -1;
      state[other] = round + ON_PATH;
      break;
    }
    current[node] = half;
    this.work += work;
    return half;
  }

  /** Removes all nodes from the path, and returns its end. */
  #leave(source: number, end: number): number {
    const { head } = this.#graph;
    for (let node = end; node !== source; ) {
      this.#state[node] = this.#round + OPEN;
      node = head[(this.#entering[node] ?? 0) ^ 1] ?? 0;
    }
    this.#state[source] = this.#round + OPEN;
    return end;
  }
}
