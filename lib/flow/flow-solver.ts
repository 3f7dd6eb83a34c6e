import { CostScaling } from './cost-scaling.ts';
import type { FlowGraph } from './flow-graph.ts';
import { PrimalDual } from './primal-dual.ts';

/** The result of a solve: the graph has a flow of minimum cost, or no flow exists. */
export type Verdict = 'optimal' | 'infeasible';

/**
 * The number of half arcs that the primal-dual method may examine before cost scaling takes over, as a multiple of all half arcs. Measured,
 * see ADR 26.
 */
const ALLOWANCE = 24;

/**
 * Finds flows of minimum cost in a graph that changes between solves.
 *
 * The primal-dual method is faster if most shortest paths lead directly to free capacity. If it examines more of the graph than such paths
 * need, supplies compete for capacity. Cost scaling then continues from its potentials. After an optimal solve, the graph's flow and
 * potentials make every reduced cost of the residual network nonnegative.
 */
export class FlowSolver {
  readonly #graph: FlowGraph;
  #primalDual: PrimalDual;

  constructor(graph: FlowGraph) {
    this.#graph = graph;
    this.#primalDual = new PrimalDual(graph);
  }

  /** Solves from scratch. Throws a FlowRangeError if a sum of costs is not exact. */
  solve(): Verdict {
    this.#graph.reset();
    return this.#run();
  }

  /** Solves from the last flow and potentials. Throws a FlowRangeError if a sum of costs is not exact. */
  resolve(): Verdict {
    this.#graph.settle();
    return this.#run();
  }

  #run(): Verdict {
    const graph = this.#graph;
    if (graph.imbalance !== 0) return 'infeasible';
    if (this.#primalDual.room < graph.nodes) this.#primalDual = new PrimalDual(graph);
    const outcome = this.#primalDual.run(ALLOWANCE * 2 * graph.arcs);
    if (outcome !== 'unfinished') return outcome;
    const scaled = new CostScaling(graph).run();
    if (scaled === 'optimal') return scaled;
    graph.reset();
    return scaled === 'infeasible' ? scaled : this.#exhaustive();
  }

  /** Runs the primal-dual method without a work limit. Its potentials are in units of cost, so they stay exact for much larger costs. */
  #exhaustive(): Verdict {
    return this.#primalDual.run() === 'infeasible' ? 'infeasible' : 'optimal';
  }
}
