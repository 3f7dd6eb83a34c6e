import { defined } from '#lib/machinery/defined.ts';
import { ADDRESS_TYPES, type Backends } from '#lib/server/channel/backends.ts';
import type { Dialer } from '#lib/server/channel/dialer.ts';
import type { NodeChannels } from '#lib/server/channel/node-channels.ts';
import { RoutedDialer } from '#lib/server/channel/routed-dialer.ts';
import { HttpRoundTripper, type HttpRoundTripperOptions } from './http-round-tripper.ts';
import { TcpDialer, type TcpDialerOptions } from './tcp-dialer.ts';

/** Upstream's KubeletClientConfig, and the reachable part of the network. */
export interface KubeletConfig
  extends TcpDialerOptions,
    Required<Pick<HttpRoundTripperOptions, 'client'>>,
    Pick<HttpRoundTripperOptions, 'isSelf'> {
  /** CA certificates that verify kubelets, PEM. Default '': no verification. */
  readonly caBundle?: string;
  /** Default: upstream's. */
  readonly preferredAddressTypes?: readonly string[];
  /** Time-out in ms for a connection. Default 5000. */
  readonly timeout?: number;
  /** Opens connections. Default: TCP. Tests use addresses of nodes and pods that no machine has. */
  readonly dialer?: Dialer;
  /** The channels of nodes. Default: none. */
  readonly channels?: NodeChannels;
}

/** Kubelets, pods and endpoints, reached over TCP from this machine. */
export function tcpBackends({ client, caBundle = '', isSelf, timeout = 5000, ...config }: KubeletConfig): Backends {
  const { preferredAddressTypes = ADDRESS_TYPES, channels, ...rules } = config;
  const tcp = config.dialer ?? new TcpDialer(rules);
  const dialer = channels === undefined ? tcp : new RoutedDialer(channels, tcp);
  return {
    roundTripper: new HttpRoundTripper({
      dialer,
      client,
      caBundle,
      timeout,
      ...defined({ isSelf }),
    }),
    preferredAddressTypes,
    ...defined({ channels, joining: channels }),
  };
}
