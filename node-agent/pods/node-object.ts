import type { Node } from '#lib/api/types/core.v1.ts';
import { NODES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';

/** The Node of this machine as it was seen last. */
export class NodeObject {
  readonly #client: Clientset;
  #node: Node;
  readonly #listeners: (() => void)[] = [];

  /** `initial`: the Node as the agent registers it, while the server has told none. */
  constructor(client: Client, initial: Node) {
    this.#client = clientset(client);
    this.#node = initial;
  }

  get latest(): Node {
    return this.#node;
  }

  /** The report of the status has read or written it. */
  seen(node: Node): void {
    this.#node = node;
    for (const listener of this.#listeners) listener();
  }

  /** Tells a listener each time that the Node was read or written. */
  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Asks the server. Throws StatusError, and Error where there is no such Node. */
  async fresh(): Promise<Node> {
    const name = this.#node.metadata.name ?? '';
    const found = await this.#client.get({ resource: NODES, namespace: '', name });
    if (found === undefined) throw new Error(`node "${name}" not found`);
    this.seen(found);
    return found;
  }
}
