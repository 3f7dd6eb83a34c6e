import { AdmissiblePaths } from './admissible-paths.ts';
import { roomFor } from './columns.ts';
import type { FlowGraph } from './flow-graph.ts';
import { ShortestPathSearch } from './shortest-path-search.ts';

/** How a run ended. `unfinished` means that it would have exceeded its allowance of work. */
export type Outcome = 'optimal' | 'infeasible' | 'unfinished';

/**
 * The method of successive shortest paths with potentials. It sends excess along shortest paths to nodes that lack flow, and keeps every
 * reduced cost of the residual network nonnegative. Before each search it uses paths whose reduced cost is already 0, so that one search
 * serves many units.
 *
 * It starts from any settled graph: from scratch after `reset`, or from the last flow after some changes.
 */
export class PrimalDual {
  readonly #graph: FlowGraph;
  readonly #search: ShortestPathSearch;
  readonly #paths: AdmissiblePaths;
  readonly #entering: Int32Array;
  /** The maximum number of nodes for the allocated memory. */
  readonly room: number;

  /** Allocates memory for the nodes of the graph, with some reserve. */
  constructor(graph: FlowGraph) {
    this.#graph = graph;
    this.room = roomFor(graph.nodes);
    this.#entering = new Int32Array(this.room);
    this.#search = new ShortestPathSearch(graph, this.#entering);
    this.#paths = new AdmissiblePaths(graph, this.#entering);
  }

  /**
   * Runs until no excess is left. Returns `unfinished` if it estimates that it would examine more than `allowance` half arcs. The estimate
   * uses the work per unit since the last estimate. It is repeated after as much work as one pass over the whole graph. Throws
   * FlowRangeError.
   */
  run(allowance = Infinity): Outcome {
    const { excess, nodes, arcs } = this.#graph;
    let units = this.#countUnits();
    let [worked, had] = [this.work, units];
    this.#paths.refresh();
    for (let source = 0; source < nodes; source++) {
      while ((excess[source] ?? 0) > 0) {
        const sent = this.#sendFrom(source);
        if (sent === 0) return 'infeasible';
        units -= sent;
        const work = this.work - worked;
        if (work < 2 * arcs) continue;
        if ((work / (had - units)) * units > allowance) return 'unfinished';
        [worked, had] = [this.work, units];
      }
    }
    return 'optimal';
  }

  /** The number of half arcs that all runs have examined. */
  get work(): number {
    return this.#search.work + this.#paths.work;
  }

  #countUnits(): number {
    const { excess, nodes } = this.#graph;
    let units = 0;
    for (let node = 0; node < nodes; node++) units += Math.max(0, excess[node] ?? 0);
    return units;
  }

  /** Returns the amount of flow that was sent, or 0 if no path is left. */
  #sendFrom(source: number): number {
    let end = this.#paths.run(source);
    if (end < 0) {
      end = this.#search.run(source);
      if (end < 0) return 0;
      this.#paths.refresh();
    }
    return this.#augment(source, end);
  }

  /** Sends as much flow along the path as its residual capacity, the excess and the deficit allow. */
  #augment(source: number, end: number): number {
    const { excess, head, residual } = this.#graph;
    const entering = this.#entering;
    let amount = Math.min(excess[source] ?? 0, -(excess[end] ?? 0));
    for (let node = end; node !== source; ) {
      const half = entering[node] ?? 0;
      amount = Math.min(amount, residual[half] ?? 0);
      node = head[half ^ 1] ?? 0;
    }
    for (let node = end; node !== source; ) {
      const half = entering[node] ?? 0;
      residual[half] = (residual[half] ?? 0) - amount;
      residual[half ^ 1] = (residual[half ^ 1] ?? 0) + amount;
      node = head[half ^ 1] ?? 0;
    }
    excess[source] = (excess[source] ?? 0) - amount;
    excess[end] = (excess[end] ?? 0) + amount;
    return amount;
  }
}
