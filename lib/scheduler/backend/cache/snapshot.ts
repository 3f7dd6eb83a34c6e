import type { Snapshot } from '../../framework/interface.ts';
import type { NodeInfo } from '../../framework/node-info.ts';

/** A snapshot of these nodes, in this order. What of them has affinity is found when it is asked for first. */
export const newSnapshot = (nodes: readonly NodeInfo[]): Snapshot => new MutableSnapshot(nodes);

/** A snapshot that the cache brings up to date between attempts: only nodes that changed are replaced. */
export class MutableSnapshot implements Snapshot {
  #nodes: NodeInfo[] = [];
  readonly #places = new Map<string, number>();
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

  get withAffinity(): readonly NodeInfo[] {
    return (this.#withAffinity ??= this.#nodes.filter((node) => node.podsWithAffinity.size > 0));
  }

  get withRequiredAntiAffinity(): readonly NodeInfo[] {
    return (this.#withRequiredAntiAffinity ??= this.#nodes.filter(
      (node) => node.podsWithRequiredAntiAffinity.size > 0,
    ));
  }

  /** All nodes, in a new order. */
  reset(nodes: readonly NodeInfo[]): void {
    this.#nodes = [...nodes];
    this.#places.clear();
    for (const [place, { name }] of nodes.entries()) this.#places.set(name, place);
    this.#forgetAffinity();
  }

  /** A newer state of a node that is there. */
  replace(node: NodeInfo): void {
    const place = this.#places.get(node.name);
    if (place === undefined) return;
    const before = this.#nodes[place];
    this.#nodes[place] = node;
    if ((before?.podsWithAffinity.size ?? 0) + node.podsWithAffinity.size > 0) this.#forgetAffinity();
  }

  #forgetAffinity(): void {
    this.#withAffinity = undefined;
    this.#withRequiredAntiAffinity = undefined;
  }
}
