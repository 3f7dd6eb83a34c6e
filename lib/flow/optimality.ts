import type { FlowGraph } from './flow-graph.ts';

/** The flow of each arc and the potential of each node, which prove that the flow has minimum cost. */
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
 * Returns the reasons why a solution does not prove minimum cost in a graph, none if it does. It reads only the graph's nodes, supplies and
 * arcs. A flow has minimum cost if it respects bounds and supplies, and each arc satisfies complementary slackness (Ahuja, Magnanti and
 * Orlin 1993, theorem 9.4). If an arc's reduced cost is above 0, its flow is at the lower bound. If it is below 0, its flow is at capacity.
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
