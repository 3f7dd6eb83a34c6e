import type { NetworkState } from '#lib/node/kubelet/nodestatus/conditions.ts';

/** The state of the node's network for its status. */
export class NetworkFacts {
  /** Undefined if the agent does not create the network, or while the state is unknown. */
  state: NetworkState | undefined;
}
