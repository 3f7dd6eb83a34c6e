import type { FlowGraph } from './flow-graph.ts';

/** A flow by arcs and potentials by nodes, which prove that it is of minimum cost. */
export interface Solution {
  readonly flow: Float64Array;
  readonly potential: Float64Array;
}

/** The flow and potentials that a solver left in a graph. */
export const solutionOf = (graph: FlowGraph): Solution => ({
  flow: Float64Array.from({ length: graph.arcs }, (_, arc) => (graph.headOf(arc) < 0 ? 0 : graph.flowOf(arc))),
  potential: graph.potential.slice(0, graph.nodes),
});

/**
 * Reasons why a solution is no proof of minimum cost in a graph, of which it reads only nodes, supplies and arcs; empty if it is one. A flow is of
 * minimum cost if it keeps bounds and supplies, and each arc is complementary slack (Ahuja, Magnanti and Orlin 1993, theorem 9.4): reduced
 * cost above 0 and flow at the lower bound, below 0 and flow at capacity, or 0.
 */
export function faultsOf(graph: FlowGraph, { flow, potential }: Solution): string[] {
  const faults: string[] = [];
  const balance = graph.supply.slice(0, graph.nodes);
  for (let arc = 0; arc < graph.arcs; arc++) {
    const [tail, head] = [graph.tailOf(arc), graph.headOf(arc)];
    if (head < 0) continue;
    const amount = flow[arc] ?? Number.NaN;
    balance[tail] = (balance[tail] ?? 0) - amount;
    balance[head] = (balance[head] ?? 0) + amount;
    const reduced = (graph.cost[2 * arc] ?? 0) + (potential[tail] ?? 0) - (potential[head] ?? 0);
    const fault = arcFault({ amount, reduced, lower: graph.lower[arc] ?? 0, capacity: graph.capacityOf(arc) });
    if (fault !== undefined) faults.push(`arc ${tail} -> ${head}: ${fault}`);
  }
  for (const [node, rest] of balance.entries()) if (rest !== 0) faults.push(`node ${node}: ${rest} too much`);
  return faults;
}

interface ArcState {
  readonly amount: number;
  readonly reduced: number;
  readonly lower: number;
  readonly capacity: number;
}

function arcFault({ amount, reduced, lower, capacity }: ArcState): string | undefined {
  if (!(lower <= amount && amount <= capacity)) return `flow ${amount} is not within ${lower} and ${capacity}`;
  if ((reduced > 0 && amount > lower) || (reduced < 0 && amount < capacity))
    return `reduced cost ${reduced} at flow ${amount} of ${lower} to ${capacity}`;
  return undefined;
}
