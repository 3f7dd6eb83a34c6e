import { podRoutes } from '#adapters/node/host/network/pod-routes.ts';
import { typedObject } from '#lib/api/typed.ts';
import type { Node } from '#lib/api/types/core.v1.ts';
import { NODES } from '#lib/api/types/resources.ts';
import { syncRoutes } from '#lib/node/kubelet/network/routes/route-sync.ts';
import { wantedRoutes } from '#lib/node/kubelet/network/routes/wanted-routes.ts';
import { nodeReference } from '../pods/context.ts';
import type { NetworkContext } from './context.ts';

/** The routes to the pods of other nodes. They stay after the agent ends, because pods continue to run. */
export class PodRoutes {
  readonly #context: NetworkContext;
  readonly #nodes = new Map<string, Node>();
  readonly #table = podRoutes();
  #isListed = false;
  #told = '';

  /** Follows the nodes. Calls `changed` after each change that may affect a route. */
  constructor(context: NetworkContext, changed: () => void) {
    this.#context = context;
    context.objects.listen(NODES, {
      take: (change) => {
        const before = placeOf(this.#nodes.get(change.name));
        if (change.type === 'DELETED') this.#nodes.delete(change.name);
        else this.#nodes.set(change.name, typedObject(NODES, change.object()));
        if (placeOf(this.#nodes.get(change.name)) !== before) changed();
      },
      listed: () => {
        this.#isListed = true;
        changed();
      },
    });
  }

  /** Adds, repairs and removes routes. Rejects with an Error if the nodes are not known yet. */
  async sync(ownCIDRs: readonly string[]): Promise<void> {
    if (!this.#isListed)
      throw new Error('the nodes are not known: the node has to have the right to list and watch them');
    const { options, recorder, node } = this.#context;
    const { routes, faults } = wantedRoutes([...this.#nodes.values()], options.node, ownCIDRs);
    const failed = await syncRoutes(this.#table, routes);
    const lines = [...faults, ...failed].map(([what, why]) => `${what}: ${why}`);
    const told = lines.join('; ');
    if (told !== this.#told && told !== '')
      recorder.event(nodeReference(node.latest), 'Warning', 'FailedToCreateRoute', `Could not create route ${told}`);
    this.#told = told;
  }
}

const placeOf = (node: Node | undefined): string =>
  JSON.stringify([node?.spec?.podCIDRs, node?.spec?.podCIDR, node?.status.addresses]);
