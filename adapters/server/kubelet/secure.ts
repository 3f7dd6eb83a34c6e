import { constants, type X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect } from 'node:tls';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import { isAddr } from '#lib/machinery/net/parse-addr.ts';
import type { Target } from '#lib/server/channel/dialer.ts';
import type { BackendTls, NamedTls } from '#lib/server/channel/round-tripper.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';

/** The certificates for TLS to kubelets. */
export interface SecureOptions {
  /** The client certificate for kubelets, PEM. */
  readonly client?: { readonly certificate: string; readonly key: string };
  /** CA certificates that verify kubelets, PEM. '' disables verification, as in upstream. */
  readonly caBundle: string;
  /** Whether the certificate belongs to the API server itself. A backend with such a certificate gets no request. Default: never. */
  isSelf?(shown: X509Certificate): boolean;
}

interface Peer {
  readonly target: Target;
  readonly tls: BackendTls;
  readonly signal: AbortSignal;
}

/** Opens TLS over a stream. Resolves after both sides have authenticated. Throws node's error, TransportError or the signal's reason. */
export async function connectTls(socket: Duplex, options: SecureOptions, peer: Peer): Promise<Duplex> {
  const { host, port } = peer.target;
  const { tls } = peer;
  const secure = connect({
    socket,
    ...(typeof tls === 'object' ? named(tls) : kubeletTls(tls, host, options)),
    allowPartialTrustChain: true, // trusts any certificate of a bundle, as Go does
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION, // the peer cannot change its identity, as with Go
  });
  try {
    await once(secure, 'secureConnect', { signal: peer.signal });
    const shown = secure.getPeerX509Certificate();
    if (shown !== undefined && options.isSelf?.(shown) === true)
      throw new TransportError(`dial tcp ${joinHostPort(host, port)}: this is the API server itself`);
    return secure;
  } catch (error) {
    secure.destroy();
    throw error;
  }
}

function kubeletTls(tls: BackendTls, host: string, { client, caBundle }: SecureOptions): ConnectionOptions {
  return {
    host,
    ...(isAddr(host) ? {} : { servername: host }),
    rejectUnauthorized: tls === 'kubelet' && caBundle !== '',
    ...authority(caBundle),
    ...(tls === 'unverified' ? {} : shown(client)),
  };
}

const named = ({ serverName, caBundle, insecureSkipVerify, client }: NamedTls): ConnectionOptions => ({
  host: serverName,
  servername: serverName,
  rejectUnauthorized: !insecureSkipVerify,
  ...authority(caBundle),
  ...shown(client),
});

const authority = (ca: string): ConnectionOptions => (ca === '' ? {} : { ca });

const shown = (client: SecureOptions['client']): ConnectionOptions =>
  client === undefined ? {} : { cert: client.certificate, key: client.key };
