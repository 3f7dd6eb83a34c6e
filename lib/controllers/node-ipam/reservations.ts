import type { ConfigMap, Node } from '#lib/api/types/core.v1.ts';
import { CONFIG_MAPS } from '#lib/api/types/resources.ts';
import type { Clientset, RefOf } from '#lib/client/clientset.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';

/** The ConfigMap with the blocks about to be written to nodes: comma-separated lists by node uid. */
const REF: RefOf<ConfigMap> = { resource: CONFIG_MAPS, namespace: 'kube-system', name: 'davit-node-cidrs' };

/**
 * The blocks that one reconciliation is about to assign, in one object that only one reconciliation can replace. Neither concurrent
 * reconciliations nor late writes of an abandoned one can assign a block to two nodes. Read the reservations before the nodes: an entry
 * is removed only when its node has its blocks or was deleted.
 */
export class Reservations {
  readonly #client: Clientset;
  #found: ConfigMap | undefined;

  private constructor(client: Clientset, found: ConfigMap | undefined) {
    this.#client = client;
    this.#found = found;
  }

  static async read(client: Clientset): Promise<Reservations> {
    return new Reservations(client, await client.get(REF));
  }

  /**
   * The blocks reserved for a node. Undefined if there are none. Other clients can write the ConfigMap, so the blocks may be any strings.
   */
  of(node: Node): readonly string[] | undefined {
    return ownField(this.#found?.data, uidOf(node))?.split(',');
  }

  /** Replaces all entries. Throws StatusError (Conflict, AlreadyExists, NotFound) if another reconciliation did so after they were read. */
  async replace(entries: readonly { readonly node: Node; readonly cidrs: readonly string[] }[]): Promise<void> {
    const data = Object.fromEntries(entries.map(({ node, cidrs }) => [uidOf(node), cidrs.join(',')]));
    const { name, namespace, resource } = REF;
    const metadata = { name, namespace };
    if (this.#found === undefined) this.#found = await this.#client.create(resource, { metadata, data });
    else {
      const resourceVersion = resourceVersionOf(this.#found);
      this.#found = await this.#client.update(REF, { metadata: { ...metadata, resourceVersion }, data });
    }
  }
}
