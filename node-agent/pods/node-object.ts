import type { Node } from '#lib/api/types/core.v1.ts';
import { NODES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';

/** The last known Node of this machine. */
export class NodeObject {
  readonly #client: Clientset;
  #node: Node;
  readonly #listeners: (() => void)[] = [];

  /** `initial` is the Node as the agent registers it. It is used until the server returns one. */
  constructor(client: Client, initial: Node) {
    this.#client = clientset(client);
    this.#node = initial;
  }

  get latest(): Node {
    return this.#node;
  }

  /** Records a Node after the status report read or wrote it. */
  seen(node: Node): void {
    this.#node = node;
    for (const listener of this.#listeners) listener();
  }

  /** Adds a listener that is called each time the Node was read or written. */
  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Reads the Node from the server. Throws StatusError, or Error if the Node does not exist. */
  async fresh(): Promise<Node> {
    const name = this.#node.metadata.name ?? '';
    const found = await this.#client.get({ resource: NODES, namespace: '', name });
    if (found === undefined) throw new Error(`node "${name}" not found`);
    this.seen(found);
    return found;
  }
}
