import type { Channels } from './channels.ts';
import type { StreamOffice } from './gateway/stream-office.ts';
import type { TicketOffice } from './gateway/ticket-office.ts';
import type { NodeChannels } from './node-channels.ts';
import type { InterestKeeper } from './ring-interests.ts';
import type { RoundTripper } from './round-tripper.ts';

/** How the API server reaches kubelets, pods and endpoints. */
export interface Backends {
  readonly roundTripper: RoundTripper;
  /** Upstream's --kubelet-preferred-address-types. */
  readonly preferredAddressTypes: readonly string[];
  /** False where nodes, pods and endpoints are reached by channels alone. Default true. */
  readonly isRouted?: boolean;
  /** The channels of nodes, where this server carries them. */
  readonly channels?: Channels;
  /** Takes the connections of agents, where this server does. */
  readonly joining?: NodeChannels;
  /** Gives agents tickets to a gateway, where they connect there. */
  readonly tickets?: TicketOffice;
  /** Gives users' clients tickets to a gateway, where this server cannot upgrade their connections. */
  readonly streams?: StreamOffice;
  /** Keeps what nodes are rung for, where any are. */
  readonly interests?: InterestKeeper;
}

/** Upstream's default. */
export const ADDRESS_TYPES = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'] as const;
