import type { ConfigMap, Node } from '#lib/api/types/core.v1.ts';
import { CONFIG_MAPS } from '#lib/api/types/resources.ts';
import type { Clientset, RefOf } from '#lib/client/clientset.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';

/** The ConfigMap of the blocks that are about to be written to nodes: by the nodes' uids, with commas between. */
const REF: RefOf<ConfigMap> = { resource: CONFIG_MAPS, namespace: 'kube-system', name: 'davit-node-cidrs' };

/**
 * The blocks that one turn is about to give, in one object that only one turn can replace: two turns at once, and what a turn that
 * was given up still writes, never give one block to two nodes. Read them before the nodes: an entry goes only when its node has its
 * blocks, or is gone.
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

  /** The blocks that are reserved for a node; undefined where none are. Others can write the ConfigMap: they may be any texts. */
  of(node: Node): readonly string[] | undefined {
    return ownField(this.#found?.data, uidOf(node))?.split(',');
  }

  /** Replaces all entries. Throws StatusError (Conflict, AlreadyExists, NotFound) where another turn did since they were read. */
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
