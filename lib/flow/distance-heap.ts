/**
 * A heap of nodes by distance, nearest first. Each heap node has four children, so decreasing a key passes fewer nodes than in a binary
 * heap (Johnson, "Priority queues with update and finding minimum spanning trees", 1975).
 */
export class DistanceHeap {
  readonly #distance: Float64Array;
  readonly #nodes: Int32Array;
  /** The index in the heap of each node that it contains. */
  readonly #place: Int32Array;
  #size = 0;

  /** Creates a heap of nodes. The caller maintains their distances. */
  constructor(distance: Float64Array) {
    this.#distance = distance;
    this.#nodes = new Int32Array(distance.length);
    this.#place = new Int32Array(distance.length);
  }

  get size(): number {
    return this.#size;
  }

  clear(): void {
    this.#size = 0;
  }

  /** Adds a node that is not in the heap. */
  push(node: number): void {
    this.#place[node] = this.#size++;
    this.decrease(node);
  }

  /** Moves a node whose distance decreased. */
  decrease(node: number): void {
    const [nodes, place, distance] = [this.#nodes, this.#place, this.#distance];
    const key = distance[node] ?? 0;
    let at = place[node] ?? 0;
    while (at > 0) {
      const above = (at - 1) >> 2;
      const parent = nodes[above] ?? 0;
      if ((distance[parent] ?? 0) <= key) break;
      nodes[at] = parent;
      place[parent] = at;
      at = above;
    }
    nodes[at] = node;
    place[node] = at;
  }

  /** Removes and returns the nearest node. The heap must not be empty. */
  pop(): number {
    const nearest = this.#nodes[0] ?? 0;
    const last = this.#nodes[--this.#size] ?? 0;
    if (this.#size > 0) this.#sink(last);
    return nearest;
  }

  #sink(node: number): void {
    const [nodes, place, distance, size] = [this.#nodes, this.#place, this.#distance, this.#size];
    const key = distance[node] ?? 0;
    let at = 0;
    for (let child = 1; child < size; child = 4 * at + 1) {
      let [best, least] = [child, distance[nodes[child] ?? 0] ?? 0];
      for (let other = child + 1; other < Math.min(child + 4, size); other++) {
        const length = distance[nodes[other] ?? 0] ?? 0;
        if (length < least) [best, least] = [other, length];
      }
      if (least >= key) break;
      const moved = nodes[best] ?? 0;
      nodes[at] = moved;
      place[moved] = at;
      at = best;
    }
    nodes[at] = node;
    place[node] = at;
  }
}
