import type { NodeChannels } from './node-channels.ts';
import type { RoundTripper } from './round-tripper.ts';

/** How the API server reaches kubelets, pods and endpoints. */
export interface Backends {
  readonly roundTripper: RoundTripper;
  /** Upstream's --kubelet-preferred-address-types. */
  readonly preferredAddressTypes: readonly string[];
  /** The channels of nodes, where this server carries them. */
  readonly channels?: NodeChannels;
}

/** Upstream's default. */
export const ADDRESS_TYPES = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'] as const;
