import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CostScaling } from './cost-scaling.ts';
import { FlowGraph } from './flow-graph.ts';
import { FlowSolver } from './flow-solver.ts';
import { networkSimplex } from './network-simplex.ts';
import { faultsOf, solutionOf } from './optimality.ts';

const RUNS = process.env['DAVIT_FULL'] === undefined ? 300 : 10_000;
const NODES = 7;

const node = fc.nat({ max: NODES - 1 });
const amount = fc.integer({ min: 0, max: 6 });
const cost = fc.integer({ min: -9, max: 9 });
const arc = fc.record({
  kind: fc.constant('arc'),
  tail: node,
  head: node,
  lower: fc.nat({ max: 2 }),
  room: amount,
  cost,
});
const change = fc.oneof(
  { weight: 4, arbitrary: arc },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('supply'), from: node, to: node, units: amount }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('capacity'), which: fc.nat(), room: amount }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cost'), which: fc.nat(), cost }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove'), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replace node'), node }) },
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** A graph of seven nodes. Changes may name an arc by any number. */
class World {
  readonly graph = new FlowGraph();
  readonly nodes = Array.from({ length: NODES }, () => this.graph.addNode());
  arcs: number[] = [];

  /** With a ring, most supplies can be routed. */
  constructor(ring: boolean) {
    if (ring) for (let at = 0; at < NODES; at++) this.graph.addArc(at, (at + 1) % NODES, { capacity: 40, cost: 20 });
  }

  apply(next: Change): void {
    const { graph } = this;
    if ('tail' in next) {
      const bounds = { lower: next.lower, capacity: next.lower + next.room, cost: next.cost };
      this.arcs.push(graph.addArc(this.#at(next.tail), this.#at(next.head), bounds));
    } else if ('units' in next) {
      this.#supply(this.#at(next.from), next.units);
      this.#supply(this.#at(next.to), -next.units);
    } else if ('node' in next) this.#replace(next.node);
    else this.#changeArc(next);
  }

  #changeArc(next: Extract<Change, { which: number }>): void {
    const chosen = this.arcs[next.which % this.arcs.length];
    if (chosen === undefined) return;
    if ('room' in next) this.graph.setCapacity(chosen, (this.graph.lower[chosen] ?? 0) + next.room);
    else if ('cost' in next) this.graph.setCost(chosen, next.cost);
    else {
      this.graph.removeArc(chosen);
      this.arcs = this.arcs.filter((other) => other !== chosen);
    }
  }

  /** Removes a node and adds another in its place; the supplies stay balanced. */
  #replace(index: number): void {
    const { graph } = this;
    const old = this.#at(index);
    this.#supply(this.#at(index + 1), graph.supply[old] ?? 0);
    graph.setSupply(old, 0);
    this.arcs = this.arcs.filter((other) => graph.tailOf(other) !== old && graph.headOf(other) !== old);
    graph.removeNode(old);
    this.nodes[index % NODES] = graph.addNode();
  }

  #supply(at: number, more: number): void {
    this.graph.setSupply(at, (this.graph.supply[at] ?? 0) + more);
  }

  #at(index: number): number {
    return this.nodes[index % NODES] ?? 0;
  }
}

/** A solver's verdict on a graph, and the reasons why its flow and potentials do not prove minimum cost. */
function judged(graph: FlowGraph, verdict: string): readonly [string, string[], number] {
  return verdict === 'optimal' ? [verdict, faultsOf(graph, solutionOf(graph)), graph.totalCost()] : [verdict, [], 0];
}

function simplexOf(graph: FlowGraph): readonly [string, string[], number] {
  const solution = networkSimplex(graph);
  if (solution === undefined) return ['infeasible', [], 0];
  const sum = solution.flow.reduce((total, flow, at) => total + (flow === 0 ? 0 : flow * (graph.cost[2 * at] ?? 0)), 0);
  return ['optimal', faultsOf(graph, solution), sum];
}

/** A copy of the graph without its history. */
function copyOf(graph: FlowGraph): FlowGraph {
  const copy = new FlowGraph();
  for (let at = 0; at < graph.nodes; at++) copy.addNode(graph.supply[at]);
  for (let at = 0; at < graph.arcs; at++) {
    if (graph.headOf(at) < 0) continue;
    const bounds = { lower: graph.lower[at] ?? 0, capacity: graph.capacityOf(at), cost: graph.cost[2 * at] ?? 0 };
    copy.addArc(graph.tailOf(at), graph.headOf(at), bounds);
  }
  return copy;
}

test(`solves ${RUNS} random sequences of changes like a solve from scratch and like network simplex`, () => {
  let optimal = 0;
  const sequences = fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });
  const property = fc.property(fc.boolean(), fc.array(arc, { maxLength: 14 }), sequences, (ring, start, steps) => {
    const world = new World(ring);
    for (const one of start) world.apply(one);
    const solver = new FlowSolver(world.graph);
    for (const step of steps) {
      for (const one of step) world.apply(one);
      const expected = simplexOf(world.graph);
      expect(judged(world.graph, solver.resolve())).toEqual(expected);
      if (expected[0] === 'optimal') optimal++;
      const copy = copyOf(world.graph);
      expect(judged(copy, new FlowSolver(copy).solve())).toEqual(expected);
      copy.reset();
      expect(judged(copy, new CostScaling(copy).run())).toEqual(expected);
    }
  });
  fc.assert(property, { numRuns: RUNS, seed: 40 });
  expect(optimal).toBeGreaterThan(RUNS);
});

describe('a change of a flow graph', () => {
  /** A graph with two paths from node 0 to node 2: directly for 5 per unit, or via node 1 for 3. */
  function aGraph(units: number): { graph: FlowGraph; solver: FlowSolver; direct: number; first: number } {
    const graph = new FlowGraph();
    graph.addNode(units);
    graph.addNode();
    graph.addNode(-units);
    const first = graph.addArc(0, 1, { capacity: 4, cost: 1 });
    graph.addArc(1, 2, { capacity: 4, cost: 2 });
    const direct = graph.addArc(0, 2, { capacity: 4, cost: 5 });
    return { graph, solver: new FlowSolver(graph), direct, first };
  }

  test('moves flow to the cheaper path if it changes a cost', () => {
    const { graph, solver, direct, first } = aGraph(3);
    expect([solver.solve(), graph.flowOf(first), graph.totalCost()]).toEqual(['optimal', 3, 9]);
    graph.setCost(direct, -1);
    expect([solver.resolve(), graph.flowOf(direct), graph.totalCost()]).toEqual(['optimal', 3, -3]);
  });

  test('is reported if it makes the problem infeasible, and its reversal solves again', () => {
    const { graph, solver, first } = aGraph(7);
    expect([solver.solve(), graph.totalCost()]).toEqual(['optimal', 27]);
    graph.setCapacity(first, 1);
    expect(solver.resolve()).toBe('infeasible');
    graph.setCapacity(first, 4);
    expect([solver.resolve(), graph.totalCost()]).toEqual(['optimal', 27]);
  });

  test('removes the arcs and the supply of a node with it', () => {
    const { graph, solver } = aGraph(3);
    solver.solve();
    graph.removeNode(1);
    expect([solver.resolve(), graph.totalCost()]).toEqual(['optimal', 15]);
    graph.removeNode(2);
    expect(solver.resolve()).toBe('infeasible');
  });
});

test('uses a negative cycle as far as its capacity, also without supply', () => {
  const graph = new FlowGraph();
  graph.addNode();
  graph.addNode();
  graph.addArc(0, 1, { capacity: 3, cost: -4 });
  graph.addArc(1, 0, { lower: 1, capacity: 2, cost: 1 });
  graph.addArc(1, 1, { capacity: 5, cost: -2 });
  expect(judged(graph, new FlowSolver(graph).solve())).toEqual(['optimal', [], -16]);
});

test('reports lower bounds that supplies cannot satisfy', () => {
  const graph = new FlowGraph();
  graph.addNode(1);
  graph.addNode(-1);
  graph.addArc(0, 1, { lower: 2, capacity: 3, cost: 1 });
  expect(new FlowSolver(graph).solve()).toBe('infeasible');
});

describe('a sum beyond 2^53', () => {
  const LIMIT = Number.MAX_SAFE_INTEGER;

  function twoNodes(supply: number): FlowGraph {
    const graph = new FlowGraph();
    graph.addNode(supply);
    graph.addNode(-supply);
    return graph;
  }

  test.each([
    ['the cost', () => twoNodes(0).addArc(0, 1, { capacity: 1, cost: 2 ** 53 }), 'arc 0 -> 1: 9007199254740992 is not'],
    ['the capacity', () => twoNodes(0).addArc(0, 1, { capacity: 0.5, cost: 0 }), 'arc 0 -> 1: 0.5 is not an integer'],
    [
      'bounds',
      () => twoNodes(0).addArc(0, 1, { lower: 2, capacity: 1, cost: 0 }),
      'arc 0 -> 1: no flow is within 2 and 1',
    ],
    [
      'the sum of capacities',
      () => {
        const graph = twoNodes(0);
        graph.addArc(0, 1, { capacity: LIMIT, cost: 0 });
        graph.addArc(1, 0, { capacity: 1, cost: 0 });
      },
      'arc 1 -> 0 makes the sum of capacities at node 1 beyond 2^53',
    ],
    [
      'the total cost',
      () => {
        const graph = twoNodes(1000);
        graph.addArc(0, 1, { capacity: 600, cost: 10 ** 13 });
        graph.addArc(0, 1, { capacity: 600, cost: 10 ** 13 + 1 });
        new FlowSolver(graph).solve();
        graph.totalCost();
      },
      'the cost of arc 0 -> 1 makes a sum beyond 2^53',
    ],
    [
      'a path',
      () => {
        const graph = twoNodes(1);
        const between = graph.addNode();
        graph.addArc(0, between, { capacity: 1, cost: LIMIT });
        graph.addArc(between, 1, { capacity: 1, cost: LIMIT });
        new FlowSolver(graph).solve();
      },
      /^arc 0 -> 2 is on a path whose costs add up to more than 2\^52/,
    ],
  ])('is rejected with an error that names the arc: %s', (_, refused, message) => {
    expect(refused).toThrow(message);
  });

  test('leaves the graph as it was', () => {
    const graph = twoNodes(3);
    const only = graph.addArc(0, 1, { capacity: 5, cost: 2 });
    expect(() => graph.addArc(1, 0, { capacity: LIMIT, cost: 0 })).toThrow('beyond 2^53');
    expect(() => graph.setCapacity(only, LIMIT)).toThrow('beyond 2^53');
    expect(judged(graph, new FlowSolver(graph).solve())).toEqual(['optimal', [], 6]);
  });
});
