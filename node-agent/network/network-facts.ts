import type { NetworkState } from '#lib/node/kubelet/nodestatus/conditions.ts';

/** The state of the node's network, as its status shows it. */
export class NetworkFacts {
  /** Undefined where the agent does not make the network, and before it is known. */
  state: NetworkState | undefined;
}
