import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { defined } from '#lib/machinery/defined.ts';
import { isLoopbackHost } from '#lib/machinery/net/this-host.ts';
import type { ClientCertificate, Signer } from '#lib/server/authentication/authenticator.ts';
import type { ClientConnection } from '#lib/server/request/api-request.ts';

/** The peer of a connection, which is determined once for all its requests. */
export interface Connection extends ClientConnection {
  /** Whether the connection stays on this machine. */
  readonly isNear: boolean;
}

/** Maps the SHA-256 of a CA, in node:tls format, to its roles: the CA signs certificates of clients, of proxies, or of both. */
export type Authorities = ReadonlyMap<string, readonly Signer[]>;

/** The peer's address and its verified certificate. */
export function connectionOf(socket: Socket, authorities: Authorities): Connection {
  const { remoteAddress = '' } = socket;
  const isTls = (socket as Partial<TLSSocket>).encrypted === true;
  const clientCertificate = isTls ? readCertificate(socket as TLSSocket, authorities) : undefined;
  return { remoteAddress, isNear: isLoopbackHost(remoteAddress), ...defined({ clientCertificate }) };
}

function readCertificate(socket: TLSSocket, authorities: Authorities): ClientCertificate | undefined {
  const shown = socket.getPeerCertificate(true);
  if (shown.subject === undefined) return undefined;
  return {
    commonName: text(shown.subject.CN).at(-1) ?? '', // the last of several, because upstream's name parsing keeps the last one
    organizations: text(shown.subject.O),
    signedBy: socket.authorized ? signersOf(shown, authorities) : [],
    sha256: shown.fingerprint256.replaceAll(':', '').toLowerCase(),
    notAfter: Date.parse(shown.valid_to),
  };
}

/** The roles of the certificate chain that TLS has verified, which are those of its first known CA. */
function signersOf(leaf: DetailedPeerCertificate, authorities: Authorities): readonly Signer[] {
  for (let at = leaf; at !== undefined; at = at.issuerCertificate) {
    const known = authorities.get(at.fingerprint256);
    if (known !== undefined) return known;
    if (at.issuerCertificate === at) return [];
  }
  return [];
}

function text(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Maps each CA in these bundles (PEM) to its roles. */
export function authoritiesOf(bundles: Readonly<Record<Signer, string>>): Authorities {
  const known = new Map<string, Signer[]>();
  for (const signer of ['client', 'proxy'] as const) {
    for (const [pem] of bundles[signer].matchAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)) {
      const { fingerprint256 } = new X509Certificate(pem);
      known.set(fingerprint256, [...(known.get(fingerprint256) ?? []), signer]);
    }
  }
  return known;
}
