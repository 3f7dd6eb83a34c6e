import { CostScaling } from './cost-scaling.ts';
import type { FlowGraph } from './flow-graph.ts';
import { PrimalDual } from './primal-dual.ts';

/** Whether the graph now has a flow of minimum cost, or none exists. */
export type Verdict = 'optimal' | 'infeasible';

/** Half arcs that the primal-dual method may look at, as a multiple of all, before cost scaling takes over; measured, see ADR 26. */
const ALLOWANCE = 24;

/**
 * Finds flows of minimum cost in a graph that changes between solves.
 *
 * The primal-dual method is faster while most shortest paths lead straight to free capacity. If it looks at more of the graph than that needs,
 * supplies compete, and cost scaling goes on from its potentials. After an optimal solve, flow and potentials of the graph keep every reduced
 * cost of the residual network nonnegative.
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

  /** The primal-dual method as long as it takes: its potentials are in units of cost, so they are exact far longer. */
  #exhaustive(): Verdict {
    return this.#primalDual.run() === 'infeasible' ? 'infeasible' : 'optimal';
  }
}
