import { FlowFormatError, onLine, quoted } from './flow-format-error.ts';
import { FlowGraph } from './flow-graph.ts';

/** The size limits of an instance, checked before memory is allocated for it. */
export const MAX_NODES = 8_000_000;
export const MAX_ARCS = 16_000_000;

/**
 * Reads a minimum-cost flow problem in DIMACS format ("The First DIMACS International Algorithm Implementation Challenge", 1990): `p min
 * NODES ARCS`, `n ID SUPPLY`, `a FROM TO LOW CAPACITY COST`, and `c` for comments. The nodes of the graph have the same numbers as in the
 * problem, which has no node 0. Arcs keep their order. Throws FlowFormatError.
 */
export async function decodeDimacs(lines: Iterable<string> | AsyncIterable<string>): Promise<FlowGraph> {
  const reader = new DimacsReader();
  for await (const line of lines) reader.read(line);
  return reader.end();
}

/**
 * A solution in DIMACS format: `s COST`, and `f FROM TO FLOW` for each arc with flow. If no flow exists, the solution is `s INFEASIBLE`.
 * Throws a FlowRangeError that names the arc at which the cost exceeds 2^53.
 */
export function* encodeSolution(graph: FlowGraph, feasible: boolean): Generator<string> {
  if (!feasible) {
    yield 's INFEASIBLE';
    return;
  }
  yield `s ${graph.totalCost()}`;
  for (let arc = 0; arc < graph.arcs; arc++) {
    if (graph.headOf(arc) < 0 || graph.flowOf(arc) === 0) continue;
    yield `f ${graph.tailOf(arc)} ${graph.headOf(arc)} ${graph.flowOf(arc)}`;
  }
}

class DimacsReader {
  readonly #graph = new FlowGraph();
  #line = 0;
  /** The number of arcs that the problem line announced. */
  #announced = -1;

  read(text: string): void {
    this.#line++;
    const [kind = '', ...fields] = text.trim().split(/\s+/);
    if (kind === '' || kind === 'c') return;
    if (kind === 'p') this.#problem(fields);
    else if (this.#announced < 0) throw this.#fault('expected "p min NODES ARCS" first');
    else if (kind === 'n') this.#supply(this.#numbers(fields, 'n ID SUPPLY'));
    else if (kind === 'a') this.#arc(this.#numbers(fields, 'a FROM TO LOW CAPACITY COST'));
    else throw this.#fault(`unknown kind of line ${quoted(kind)}; expected c, p, n or a`);
  }

  end(): FlowGraph {
    const { arcs } = this.#graph;
    if (this.#announced < 0) throw this.#fault('expected "p min NODES ARCS"');
    if (arcs !== this.#announced) throw this.#fault(`${arcs} arcs; the problem line announced ${this.#announced}`);
    return this.#graph;
  }

  #problem([kind, ...fields]: readonly string[]): void {
    if (this.#announced >= 0) throw this.#fault('a second problem line');
    if (kind !== 'min') throw this.#fault('expected "p min NODES ARCS"');
    const [nodes = 0, arcs = 0] = this.#numbers(fields, 'p min NODES ARCS');
    if (nodes < 0 || nodes > MAX_NODES) throw this.#fault(`${nodes} nodes; at most ${MAX_NODES} are read`);
    if (arcs < 0 || arcs > MAX_ARCS) throw this.#fault(`${arcs} arcs; at most ${MAX_ARCS} are read`);
    this.#announced = arcs;
    for (let node = 0; node <= nodes; node++) this.#graph.addNode();
  }

  /** If several lines name a node, their supplies add up. */
  #supply([id = 0, supply = 0]: readonly number[]): void {
    this.#check(id);
    onLine(this.#line, () => this.#graph.setSupply(id, (this.#graph.supply[id] ?? 0) + supply));
  }

  #arc([from = 0, to = 0, lower = 0, capacity = 0, cost = 0]: readonly number[]): void {
    if (this.#graph.arcs === this.#announced) throw this.#fault(`more than the ${this.#announced} arcs announced`);
    this.#check(from);
    this.#check(to);
    onLine(this.#line, () => this.#graph.addArc(from, to, { lower, capacity, cost }));
  }

  #check(id: number): void {
    const highest = this.#graph.nodes - 1;
    if (id < 1 || id > highest) throw this.#fault(`no node ${id}; nodes are 1 to ${highest}`);
  }

  #numbers(fields: readonly string[], form: string): number[] {
    if (fields.length !== form.split(' ').length - (form.startsWith('p') ? 2 : 1))
      throw this.#fault(`expected "${form}"`);
    return fields.map((field) => {
      if (/^[+-]?\d{1,16}$/.test(field) && Number.isSafeInteger(Number(field))) return Number(field);
      throw this.#fault(`${quoted(field)} is not an integer below 2^53`);
    });
  }

  #fault(reason: string): FlowFormatError {
    return new FlowFormatError(this.#line, reason);
  }
}
