import { DistanceHeap } from './distance-heap.ts';
import { FlowRangeError } from './exact.ts';
import type { FlowGraph } from './flow-graph.ts';

/** With potentials beyond this, reduced costs may be inexact. */
const MAX_POTENTIAL = 2 ** 52;
const UNSEEN = 0;
const LABELLED = 1;
const SCANNED = 2;

/**
 * Finds the nearest node that lacks flow, measured in reduced costs, and lowers the potentials so that a path to it has reduced cost 0.
 * This is a step of successive shortest paths (Edmonds and Karp 1972; Ahuja, Magnanti and Orlin, "Network Flows", 1993, section 9.7).
 *
 * The search ends at the first such node, at distance D. It changes only the potentials of nearer nodes v: potential[v] += distance[v] - D.
 * Nodes at the same distance as the current one are kept on a stack instead of in the heap.
 */
export class ShortestPathSearch {
  /** For each node on the last path, the half arc through which the path enters it. */
  readonly entering: Int32Array;
  /** The number of half arcs that all searches have examined. */
  work = 0;

  readonly #graph: FlowGraph;
  readonly #distance: Float64Array;
  readonly #heap: DistanceHeap;
  readonly #label: Uint8Array;
  readonly #level: Int32Array;
  readonly #touched: Int32Array;
  #levelSize = 0;
  #touchedSize = 0;

  /** Creates a search for a graph. The graph must not have more nodes than `entering` has elements. */
  constructor(graph: FlowGraph, entering: Int32Array) {
    this.#graph = graph;
    this.entering = entering;
    this.#distance = new Float64Array(entering.length);
    this.#heap = new DistanceHeap(this.#distance);
    this.#label = new Uint8Array(entering.length);
    this.#level = new Int32Array(entering.length);
    this.#touched = new Int32Array(entering.length);
  }

  /** Returns the nearest node with negative excess, or -1 if none can be reached. Throws a FlowRangeError if a distance passes 2^52. */
  run(source: number): number {
    this.#begin(source);
    const { excess } = this.#graph;
    for (let node = this.#nearest(); node >= 0; node = this.#nearest()) {
      if ((excess[node] ?? 0) < 0) {
        this.#lower(this.#distance[node] ?? 0);
        return node;
      }
      this.#scan(node);
    }
    this.#forget();
    return -1;
  }

  #begin(source: number): void {
    this.#heap.clear();
    this.#distance[source] = 0;
    this.#label[source] = LABELLED;
    this.#level[0] = this.#touched[0] = source;
    this.#levelSize = this.#touchedSize = 1;
  }

  /** Removes and returns the nearest labelled node, or returns -1. */
  #nearest(): number {
    let node = -1;
    if (this.#levelSize > 0) node = this.#level[--this.#levelSize] ?? -1;
    else if (this.#heap.size > 0) node = this.#heap.pop();
    if (node >= 0) this.#label[node] = SCANNED;
    return node;
  }

  #scan(node: number): void {
    const { first, next, head, residual, cost, potential } = this.#graph;
    const [distance, label] = [this.#distance, this.#label];
    const here = distance[node] ?? 0;
    const base = here + (potential[node] ?? 0);
    let work = 0;
    for (let half = first[node] ?? -1; half >= 0; half = next[half] ?? -1) {
      work++;
      const other = head[half] ?? 0;
      if (residual[half] === 0 || label[other] === SCANNED) continue;
      const length = base + (cost[half] ?? 0) - (potential[other] ?? 0);
      if (label[other] === UNSEEN) {
        if (this.#reach(half, length, here)) break;
      } else if (length < (distance[other] ?? 0)) {
        distance[other] = length;
        this.entering[other] = half;
        this.#heap.decrease(other);
      }
    }
    this.work += work;
  }

  /** Labels the head of a half arc. Returns whether the search can end there. */
  #reach(half: number, length: number, here: number): boolean {
    const { head, excess } = this.#graph;
    const node = head[half] ?? 0;
    this.#distance[node] = length;
    this.entering[node] = half;
    this.#label[node] = LABELLED;
    this.#touched[this.#touchedSize++] = node;
    if (length > here) {
      this.#heap.push(node);
      return false;
    }
    this.#level[this.#levelSize++] = node;
    return (excess[node] ?? 0) < 0;
  }

  #lower(reach: number): void {
    const { potential } = this.#graph;
    const [distance, label] = [this.#distance, this.#label];
    for (let i = 0; i < this.#touchedSize; i++) {
      const node = this.#touched[i] ?? 0;
      label[node] = UNSEEN;
      const length = distance[node] ?? 0;
      if (length >= reach) continue;
      const lowered = (potential[node] ?? 0) + length - reach;
      if (lowered < -MAX_POTENTIAL) throw this.#outOfRange(node);
      potential[node] = lowered;
    }
  }

  #forget(): void {
    for (let i = 0; i < this.#touchedSize; i++) this.#label[this.#touched[i] ?? 0] = UNSEEN;
  }

  #outOfRange(node: number): FlowRangeError {
    const { first, head } = this.#graph;
    return new FlowRangeError(
      `arc ${node} -> ${head[first[node] ?? 0] ?? 0} is on a path whose costs add up to more than 2^52`,
    );
  }
}
