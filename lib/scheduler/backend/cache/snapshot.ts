import type { Snapshot } from '../../framework/interface.ts';
import type { NodeInfo } from '../../framework/node-info.ts';

/** The number of replacements to remember beyond two for each node. */
const REMEMBERED = 100;

/** Creates a snapshot of these nodes in this order. Finds nodes with affinity on first use. */
export const newSnapshot = (nodes: readonly NodeInfo[]): Snapshot => new MutableSnapshot(nodes);

/** A snapshot that the cache updates between attempts by replacing only the nodes that changed. */
export class MutableSnapshot implements Snapshot {
  #nodes: NodeInfo[] = [];
  readonly #places = new Map<string, number>();
  /** The version at the last reset, and the indexes of the nodes replaced since, one for each version. */
  #base = 0;
  #replaced: number[] = [];
  #withAffinity: readonly NodeInfo[] | undefined;
  #withRequiredAntiAffinity: readonly NodeInfo[] | undefined;

  constructor(nodes: readonly NodeInfo[] = []) {
    this.reset(nodes);
  }

  get nodes(): readonly NodeInfo[] {
    return this.#nodes;
  }

  get(name: string): NodeInfo | undefined {
    const place = this.#places.get(name);
    return place === undefined ? undefined : this.#nodes[place];
  }

  get version(): number {
    return this.#base + this.#replaced.length;
  }

  changedSince(version: number): readonly number[] | undefined {
    return version < this.#base ? undefined : this.#replaced.slice(version - this.#base);
  }

  get withAffinity(): readonly NodeInfo[] {
    return (this.#withAffinity ??= this.#nodes.filter((node) => node.podsWithAffinity.size > 0));
  }

  get withRequiredAntiAffinity(): readonly NodeInfo[] {
    return (this.#withRequiredAntiAffinity ??= this.#nodes.filter(
      (node) => node.podsWithRequiredAntiAffinity.size > 0,
    ));
  }

  /** Sets all nodes, in a new order. */
  reset(nodes: readonly NodeInfo[]): void {
    this.#nodes = [...nodes];
    this.#startOver();
    this.#places.clear();
    for (const [place, { name }] of nodes.entries()) this.#places.set(name, place);
    this.#forgetAffinity();
  }

  /** Replaces a node with its newer state. */
  replace(node: NodeInfo): void {
    const place = this.#places.get(node.name);
    if (place === undefined) return;
    const before = this.#nodes[place];
    this.#nodes[place] = node;
    this.#replaced.push(place);
    if (this.#replaced.length > 2 * this.#nodes.length + REMEMBERED) this.#startOver();
    if ((before?.podsWithAffinity.size ?? 0) + node.podsWithAffinity.size > 0) this.#forgetAffinity();
  }

  #startOver(): void {
    this.#base = this.version + 1;
    this.#replaced = [];
  }

  #forgetAffinity(): void {
    this.#withAffinity = undefined;
    this.#withRequiredAntiAffinity = undefined;
  }
}
