import { AdmissiblePaths } from './admissible-paths.ts';
import { roomFor } from './columns.ts';
import type { FlowGraph } from './flow-graph.ts';
import { ShortestPathSearch } from './shortest-path-search.ts';

/** Sources after which the work that is left is estimated again. */
const WINDOW = 128;

/** How a run ended; `unfinished` if it would have taken more work than it was allowed. */
export type Outcome = 'optimal' | 'infeasible' | 'unfinished';

/**
 * Sends excess to where flow is missing along shortest paths, and keeps every reduced cost of the residual network nonnegative: successive
 * shortest paths with potentials. Before each search it takes the paths that are already of reduced cost 0, so that one search serves many units.
 *
 * It starts from any settled graph: from scratch after `reset`, or from the last flow after some changes.
 */
export class PrimalDual {
  readonly #graph: FlowGraph;
  readonly #search: ShortestPathSearch;
  readonly #paths: AdmissiblePaths;
  readonly #entering: Int32Array;
  /** The number of nodes that its memory serves. */
  readonly room: number;

  /** Takes memory for the nodes of the graph, and some more. */
  constructor(graph: FlowGraph) {
    this.#graph = graph;
    this.room = roomFor(graph.nodes);
    this.#entering = new Int32Array(this.room);
    this.#search = new ShortestPathSearch(graph, this.#entering);
    this.#paths = new AdmissiblePaths(graph, this.#entering);
  }

  /**
   * Runs until no excess is left, or returns `unfinished` when that would take more than `allowance` half arcs to look at, by the pace of the
   * last sources. Throws FlowRangeError.
   */
  run(allowance = Infinity): Outcome {
    const { excess, nodes } = this.#graph;
    let sources = this.#countSources();
    let [before, served] = [this.work, 0];
    this.#paths.refresh();
    for (let source = 0; source < nodes; source++) {
      if ((excess[source] ?? 0) <= 0) continue;
      while ((excess[source] ?? 0) > 0) if (!this.#sendFrom(source)) return 'infeasible';
      sources--;
      if (++served < WINDOW) continue;
      if (((this.work - before) / WINDOW) * sources > allowance) return 'unfinished';
      [before, served] = [this.work, 0];
    }
    return 'optimal';
  }

  /** Half arcs that all runs looked at. */
  get work(): number {
    return this.#search.work + this.#paths.work;
  }

  #countSources(): number {
    const { excess, nodes } = this.#graph;
    let count = 0;
    for (let node = 0; node < nodes; node++) if ((excess[node] ?? 0) > 0) count++;
    return count;
  }

  #sendFrom(source: number): boolean {
    let end = this.#paths.run(source);
    if (end < 0) {
      end = this.#search.run(source);
      if (end < 0) return false;
      this.#paths.refresh();
    }
    this.#augment(source, end);
    return true;
  }

  /** Sends as much along the path as its residual capacity, the excess and the lack allow. */
  #augment(source: number, end: number): void {
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
  }
}
