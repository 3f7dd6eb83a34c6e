import { HttpRoundTripper } from '#adapters/server/kubelet/http-round-tripper.ts';
import { TcpDialer } from '#adapters/server/kubelet/tcp-dialer.ts';
import { keptFrontProxy } from '#lib/controllers/certificates/kept-front-proxy.ts';
import type { SharedSecret } from '#lib/controllers/certificates/kept-signer.ts';
import { serviceUnavailable } from '#lib/machinery/errors.ts';
import { isForbidden } from '#lib/server/channel/address-policy.ts';
import type { Channels } from '#lib/server/channel/channels.ts';
import type { NamedTls, RoundTripper } from '#lib/server/channel/round-tripper.ts';
import { RoutedDialer } from '#lib/server/channel/routed-dialer.ts';

/** Time-out in ms for a connection to be established. */
const TIMEOUT = 5000;

/** The ports with which an account connects to aggregated servers. */
export interface AggregatedPorts {
  readonly secret: SharedSecret;
  /** The channels of nodes. Without channels, no pod is reachable. */
  readonly channels?: Channels;
}

/**
 * Connects an account to aggregated servers, either over TCP from this process or via the channel of a pod's node. It presents the
 * account's certificate, which the reconcilers create when they start. Until then it throws StatusError (503). Also throws StoreError.
 */
export async function openAggregated({ secret, channels }: AggregatedPorts): Promise<RoundTripper> {
  const { client } = await keptFrontProxy(secret, notMade);
  const direct = new TcpDialer({ isForbidden });
  const dialer = channels === undefined ? direct : new RoutedDialer(channels, direct);
  const tripper = new HttpRoundTripper({ dialer, caBundle: '', timeout: TIMEOUT });
  return {
    send: (request) => {
      const { tls } = request;
      return tripper.send({ ...request, tls: isNamed(tls) ? { ...tls, client } : tls });
    },
  };
}

const notMade = (): Promise<never> =>
  Promise.reject(serviceUnavailable('the certificate for aggregated servers is not made yet', 5));

const isNamed = (tls: unknown): tls is NamedTls => typeof tls === 'object';
