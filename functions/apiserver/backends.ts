import { messageOfError } from '#lib/machinery/error-message.ts';
import type { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { systemClock } from '#adapters/clock.ts';
import { tcpBackends } from '#adapters/kubelet/backends.ts';
import { isForbidden } from '#adapters/webhook/address-policy.ts';
import type { Backends } from '#lib/channel/backends.ts';
import type { RoundTripper } from '#lib/channel/round-tripper.ts';
import { kubeletClient } from '#lib/controllers/certificates/issue.ts';
import { keptSigner, type SharedSecret } from '#lib/controllers/certificates/kept-signer.ts';
import type { KubeletSettings } from './kubelet-config.ts';

/** Exceptions for tests on one machine. */
interface BackendOptions {
  isProxyable?(address: string): boolean;
}

/**
 * The ways of this process to kubelets, pods and endpoints. The account's authority signs its certificate when the first of them
 * is asked, and again with the next where that fails. Throws TypeError where a certificate that was given is none, or of another key.
 */
export function accountBackends(
  { client, ownHost, ...settings }: KubeletSettings,
  secret: SharedSecret,
  options: BackendOptions = {},
): Backends {
  const isSelf = (backend: X509Certificate): boolean =>
    ownHost !== undefined && backend.checkHost(ownHost) !== undefined;
  const reached = (shown: NonNullable<KubeletSettings['client']>): Backends =>
    tcpBackends({ ...settings, ...options, client: shown, isSelf, isForbidden });
  if (client !== undefined) return reached(checked(client));
  const sign = async (): Promise<RoundTripper> => {
    const now = new Date(systemClock.now());
    return reached(await kubeletClient(await keptSigner(secret, now), now)).roundTripper;
  };
  let made: Promise<RoundTripper> | undefined;
  const roundTripper: RoundTripper = {
    send: async (request) => {
      made ??= sign().catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      return (await made).send(request);
    },
  };
  return { roundTripper, preferredAddressTypes: settings.preferredAddressTypes };
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
