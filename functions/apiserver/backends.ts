import type { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { systemClock } from '#adapters/clock.ts';
import { hostedChannels } from '#adapters/server/channel/node-channels.ts';
import { tcpBackends } from '#adapters/server/kubelet/backends.ts';
import { HttpRoundTripper } from '#adapters/server/kubelet/http-round-tripper.ts';
import { kubeletClient } from '#lib/controllers/certificates/issue.ts';
import { keptSigner, type SharedSecret } from '#lib/controllers/certificates/kept-signer.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { madeOnce } from '#lib/machinery/made-once.ts';
import { isForbidden } from '#lib/server/channel/address-policy.ts';
import { ADDRESS_TYPES, type Backends } from '#lib/server/channel/backends.ts';
import { ChannelDialer } from '#lib/server/channel/channel-dialer.ts';
import type { NodeChannels } from '#lib/server/channel/node-channels.ts';
import type { RoundTripper } from '#lib/server/channel/round-tripper.ts';
import type { KubeletSettings } from './kubelet-config.ts';

/** Time-out in ms for a connection via a channel to be established. */
const TIMEOUT = 5000;

/** Overrides for tests on one machine. */
interface BackendOptions {
  isProxyable?(address: string): boolean;
}

/**
 * Connects a container to kubelets, pods and endpoints. Agents connect to the container, which also dials other nodes if so configured.
 * Throws TypeError if a given certificate is invalid or belongs to another key.
 */
export function containerBackends(
  settings: KubeletSettings | undefined,
  secret: SharedSecret,
  options: BackendOptions = {},
): Backends {
  const channels = hostedChannels(systemClock);
  if (settings !== undefined) return routed(settings, secret, { ...options, channels });
  const roundTripper = new HttpRoundTripper({ dialer: new ChannelDialer(channels), caBundle: '', timeout: TIMEOUT });
  return { roundTripper, preferredAddressTypes: ADDRESS_TYPES, isRouted: false, channels, joining: channels };
}

/**
 * Dials nodes. Unless a certificate is given, the account's authority signs the client certificate at the first request to a kubelet. If
 * that fails, the next request tries again.
 */
function routed(
  { client, ownHost, ...settings }: KubeletSettings,
  secret: SharedSecret,
  options: BackendOptions & { readonly channels: NodeChannels },
): Backends {
  const isSelf = (backend: X509Certificate): boolean =>
    ownHost !== undefined && backend.checkHost(ownHost) !== undefined;
  const reached = (shown: NonNullable<KubeletSettings['client']>): Backends =>
    tcpBackends({ ...settings, ...options, client: shown, isSelf, isForbidden });
  if (client !== undefined) return reached(checked(client));
  const made = madeOnce(async (): Promise<RoundTripper> => {
    const now = new Date(systemClock.now());
    return reached(await kubeletClient(await keptSigner(secret, now), now)).roundTripper;
  });
  const roundTripper: RoundTripper = { send: async (request) => (await made()).send(request) };
  const { channels } = options;
  return { roundTripper, preferredAddressTypes: settings.preferredAddressTypes, channels, joining: channels };
}

function checked(client: NonNullable<KubeletSettings['client']>): NonNullable<KubeletSettings['client']> {
  try {
    createSecureContext({ cert: client.certificate, key: client.key });
    return client;
  } catch (error) {
    const why = messageOfError(error);
    throw new TypeError(`DAVIT_KUBELET_CLIENT_CERTIFICATE: is no certificate of DAVIT_KUBELET_CLIENT_KEY: ${why}`, {
      cause: error,
    });
  }
}
