const NONE = -1;

type Visit = (node: number) => void;

/**
 * A rooted spanning tree: each node's parent, the arc between them, depth, and the children as a doubly linked list of siblings. Removing
 * one tree arc and adding another reverses a path and renumbers a subtree.
 */
export class SpanningTree {
  readonly parent: Int32Array;
  /** The arc from each node to its parent. */
  readonly arc: Int32Array;
  readonly depth: Int32Array;

  readonly #child: Int32Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  readonly #stack: Int32Array;

  /** A star: `arcOf` returns the arc between the root, the last node, and each other node. */
  constructor(nodes: number, arcOf: (node: number) => number) {
    const root = nodes - 1;
    this.parent = new Int32Array(nodes).fill(NONE);
    this.arc = new Int32Array(nodes).fill(NONE);
    this.depth = new Int32Array(nodes);
    this.#child = new Int32Array(nodes).fill(NONE);
    this.#next = new Int32Array(nodes).fill(NONE);
    this.#previous = new Int32Array(nodes).fill(NONE);
    this.#stack = new Int32Array(nodes);
    for (let node = 0; node < root; node++) this.#hang(node, root, arcOf(node));
    for (let node = 0; node < root; node++) this.depth[node] = 1;
  }

  /**
   * Cuts the arc above `cut`, and attaches its subtree below `parent`, a node outside the subtree. `arc` then connects `parent` with
   * `node`, a node of the subtree. Calls `visit` with each node of the subtree.
   */
  move(cut: number, [node, arc, parent]: readonly [node: number, arc: number, parent: number], visit: Visit): void {
    let [at, above, by] = [node, parent, arc];
    while (true) {
      const [oldParent, oldArc] = [this.parent[at] ?? NONE, this.arc[at] ?? NONE];
      this.#unhang(at, oldParent);
      this.#hang(at, above, by);
      if (at === cut) break;
      [above, by, at] = [at, oldArc, oldParent];
    }
    this.#renumber(node, visit);
  }

  #hang(node: number, parent: number, arc: number): void {
    const next = this.#child[parent] ?? NONE;
    this.parent[node] = parent;
    this.arc[node] = arc;
    this.#next[node] = next;
    this.#previous[node] = NONE;
    if (next >= 0) this.#previous[next] = node;
    this.#child[parent] = node;
  }

  #unhang(node: number, parent: number): void {
    const [next, previous] = [this.#next[node] ?? NONE, this.#previous[node] ?? NONE];
    if (previous >= 0) this.#next[previous] = next;
    else this.#child[parent] = next;
    if (next >= 0) this.#previous[next] = previous;
  }

  #renumber(top: number, visit: Visit): void {
    const [stack, child, next] = [this.#stack, this.#child, this.#next];
    let size = 0;
    stack[size++] = top;
    while (size > 0) {
      const node = stack[--size] ?? 0;
      this.depth[node] = (this.depth[this.parent[node] ?? 0] ?? 0) + 1;
      visit(node);
      for (let below = child[node] ?? NONE; below >= 0; below = next[below] ?? NONE) stack[size++] = below;
    }
  }
}
