import { decodeJson } from '#lib/machinery/json.ts';
import { arrayAt, isObject, type Json, type JsonObject, objectAt, ownField } from '#lib/machinery/json-value.ts';
import { MAX_ARCS, MAX_NODES } from './dimacs.ts';
import { FlowFormatError, onLine, quoted } from './flow-format-error.ts';
import { FlowGraph } from './flow-graph.ts';
import { FlowSolver, type Verdict } from './flow-solver.ts';

/** The maximum number of fields and items in a line. An arc is an item with four numbers. */
const MAX_VALUES = 5 * MAX_ARCS;
const INTEGER = /^-?\d+$/;

/**
 * A network as lines of JSON. After each line it is solved again, starting from the last flow. The first line is `{nodes, supply: {node:
 * supply}, arcs: [[from, to, capacity, cost]…]}`. Each further line is a change: `{nodes, supply, remove: [[from, to]…], set: [[from, to,
 * capacity, cost]…]}`. `set` adds an arc or replaces the one between the same nodes. Nodes are numbered from 1, and their number never
 * decreases.
 */
export class ChangeSequence {
  /** The network. Its nodes have the same numbers as in the lines. */
  readonly graph = new FlowGraph();
  readonly #solver = new FlowSolver(this.graph);
  /** The arcs by their nodes. */
  readonly #arcs = new Map<number, number>();
  #line = 0;

  /** Applies a line and solves the network. Throws FlowFormatError, or FlowRangeError if a sum of costs is not exact. */
  apply(text: string): Verdict {
    this.#line++;
    const change = this.#decoded(text);
    this.#addNodes(ownField(change, 'nodes'));
    for (const pair of arrayAt(change, 'remove')) this.#remove(this.#numbers(pair, 2, '[from, to]'));
    for (const field of ['arcs', 'set'])
      for (const arc of arrayAt(change, field)) this.#set(this.#numbers(arc, 4, '[from, to, capacity, cost]'));
    for (const [node, supply] of Object.entries(objectAt(change, 'supply') ?? {})) this.#supply(node, supply);
    return this.#line === 1 ? this.#solver.solve() : this.#solver.resolve();
  }

  #decoded(text: string): JsonObject {
    let value: Json;
    try {
      ({ value } = decodeJson(Buffer.from(text), { maxDepth: 4, maxValues: MAX_VALUES }));
    } catch (error) {
      throw this.#fault(`not JSON as expected: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (!isObject(value)) throw this.#fault('expected an object');
    return value;
  }

  #addNodes(count: Json | undefined): void {
    const before = this.graph.nodes;
    if (typeof count !== 'number' || !Number.isSafeInteger(count) || count > MAX_NODES || count < before - 1)
      throw this.#fault(`"nodes" is no integer from ${Math.max(0, before - 1)} to ${MAX_NODES}`);
    while (this.graph.nodes <= count) this.graph.addNode();
  }

  #set([from = 0, to = 0, capacity = 0, cost = 0]: readonly number[]): void {
    const key = this.#key(from, to);
    const arc = this.#arcs.get(key);
    onLine(this.#line, () => {
      if (arc === undefined) this.#arcs.set(key, this.graph.addArc(from, to, { capacity, cost }));
      else {
        this.graph.setCapacity(arc, capacity);
        this.graph.setCost(arc, cost);
      }
    });
    if (this.#arcs.size > MAX_ARCS) throw this.#fault(`more than ${MAX_ARCS} arcs`);
  }

  #remove([from = 0, to = 0]: readonly number[]): void {
    const key = this.#key(from, to);
    const arc = this.#arcs.get(key);
    if (arc === undefined) throw this.#fault(`no arc ${from} -> ${to} to remove`);
    this.graph.removeArc(arc);
    this.#arcs.delete(key);
  }

  #supply(name: string, supply: Json): void {
    const node = INTEGER.test(name) ? Number(name) : 0;
    this.#check(node, name);
    if (typeof supply !== 'number') throw this.#fault(`the supply of node ${node} is not an integer below 2^53`);
    onLine(this.#line, () => this.graph.setSupply(node, supply));
  }

  #key(from: number, to: number): number {
    this.#check(from);
    this.#check(to);
    return from * (MAX_NODES + 1) + to;
  }

  #check(node: number, name = String(node)): void {
    const highest = this.graph.nodes - 1;
    if (node < 1 || node > highest) throw this.#fault(`no node ${quoted(name)}; nodes are 1 to ${highest}`);
  }

  #numbers(value: Json, count: number, form: string): number[] {
    const numbers = Array.isArray(value) ? value.filter((item) => typeof item === 'number') : [];
    if (
      !Array.isArray(value) ||
      value.length !== count ||
      numbers.length !== count ||
      !numbers.every(Number.isSafeInteger)
    )
      throw this.#fault(`expected ${form} of integers below 2^53`);
    return numbers;
  }

  #fault(reason: string): FlowFormatError {
    return new FlowFormatError(this.#line, reason);
  }
}
