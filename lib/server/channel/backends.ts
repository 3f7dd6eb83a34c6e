import type { Channels } from './channels.ts';
import type { StreamOffice } from './gateway/stream-office.ts';
import type { TicketOffice } from './gateway/ticket-office.ts';
import type { InterestKeeper } from './interests.ts';
import type { NodeChannels } from './node-channels.ts';
import type { RoundTripper } from './round-tripper.ts';

/** How the API server reaches kubelets, pods and endpoints. */
export interface Backends {
  readonly roundTripper: RoundTripper;
  /** Upstream's --kubelet-preferred-address-types. */
  readonly preferredAddressTypes: readonly string[];
  /** False if nodes, pods and endpoints can be reached only through channels. Default true. */
  readonly isRouted?: boolean;
  /** The channels of nodes, if this server has them. */
  readonly channels?: Channels;
  /** Accepts the connections of agents, if this server does so. */
  readonly joining?: NodeChannels;
  /** Issues agents tickets for a gateway, if agents connect to one. */
  readonly tickets?: TicketOffice;
  /** Issues users' clients tickets for a gateway, if this server cannot upgrade their connections. */
  readonly streams?: StreamOffice;
  /** Stores the interests of nodes, if nodes receive notifications. */
  readonly interests?: InterestKeeper;
}

/** Upstream's default. */
export const ADDRESS_TYPES = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'] as const;
