import type { Http2ServerRequest } from 'node:http2';
import type { IncomingMessage } from 'node:http';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { ClientCertificate, Signer, VouchedBy } from '#lib/authentication/authenticator.ts';
import type { ApiRequest } from '#lib/endpoints/api.ts';
import { bodyTooLarge, MAX_BODY } from '#lib/endpoints/body-bound.ts';
import { badRequest, StatusError } from '#lib/machinery/errors.ts';
import { Stretch } from './stretch.ts';

export type Incoming = IncomingMessage | Http2ServerRequest;

export interface RequestPorts {
  /** Makes the signal that aborts when the client goes away. */
  signal(): AbortSignal;
  /** SHA-256 of the certificates that sign clients' and proxies', as node:tls writes it. */
  readonly authorities: ReadonlyMap<string, readonly Signer[]>;
  /** Where another ends TLS. */
  readonly vouched?: VouchedBy | undefined;
}

/** The core's view of a request of node:http or node:http2. */
export function apiRequest(incoming: Incoming, { signal, authorities, vouched }: RequestPorts): ApiRequest {
  const url = incoming.url ?? '/';
  const mark = url.indexOf('?');
  const headers = incoming.headers as Record<string, string | undefined>;
  const certificate = clientCertificate(incoming, authorities) ?? vouched?.(headers);
  let made: AbortSignal | undefined;
  const stretch = new Stretch();
  return {
    method: incoming.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    uri: url,
    get remoteAddress() {
      return remoteAddress(incoming);
    },
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    headers,
    rawHeaders: incoming.rawHeaders,
    body: () => readBody(incoming),
    turn: () => stretch.next(),
    get signal() {
      made ??= signal();
      return made;
    },
    ...(certificate === undefined ? {} : { clientCertificate: certificate }),
  };
}

/** '' of a connection that is gone. */
function remoteAddress(incoming: Incoming): string {
  const session = 'stream' in incoming ? incoming.stream.session : undefined;
  if ('stream' in incoming && (session === undefined || session.destroyed)) return '';
  return (session?.socket ?? incoming.socket).remoteAddress ?? '';
}

async function readBody(incoming: Incoming): Promise<Uint8Array> {
  const declared = Number(incoming.headers['content-length'] ?? 0);
  if (declared > MAX_BODY) throw bodyTooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > MAX_BODY) throw bodyTooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof StatusError ? error : endedEarly(error);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

/** The client went away in the middle of its body: nobody reads this answer, and it is no fault of ours. */
function endedEarly(cause: unknown): StatusError {
  const error = badRequest('unexpected EOF');
  error.cause = cause;
  return error;
}

const certificates = new WeakMap<object, ClientCertificate | null>();

/** The certificate that the client proved, read once a connection. */
function clientCertificate(
  incoming: Incoming,
  authorities: RequestPorts['authorities'],
): ClientCertificate | undefined {
  const socket = ('stream' in incoming ? incoming.stream.session?.socket : incoming.socket) as TLSSocket | undefined;
  if (socket?.encrypted !== true) return undefined;
  const key = 'stream' in incoming ? (incoming.stream.session as object) : socket;
  const known = certificates.get(key);
  if (known !== undefined) return known ?? undefined;
  const read = readCertificate(socket, authorities);
  certificates.set(key, read ?? null);
  return read;
}

function readCertificate(socket: TLSSocket, authorities: RequestPorts['authorities']): ClientCertificate | undefined {
  const shown = socket.getPeerCertificate(true);
  if (shown.subject === undefined) return undefined;
  return {
    commonName: text(shown.subject.CN)[0] ?? '',
    organizations: text(shown.subject.O),
    signedBy: socket.authorized ? signersOf(shown, authorities) : [],
    sha256: shown.fingerprint256.replaceAll(':', '').toLowerCase(),
    notAfter: Date.parse(shown.valid_to),
  };
}

/** Whose the chain is that TLS has verified: that of the first authority on it. */
function signersOf(leaf: DetailedPeerCertificate, authorities: RequestPorts['authorities']): readonly Signer[] {
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
