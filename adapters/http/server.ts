import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import { X509Certificate } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import type { Signer, VouchedBy } from '#lib/authentication/authenticator.ts';
import type { ApiRequest, ApiResponse } from '#lib/endpoints/api.ts';
import { acceptsGzip } from '#lib/endpoints/gzip.ts';
import { apiRequest, type Incoming } from './request.ts';
import { breakOff, writeResponse, type Outgoing } from './response.ts';

/** How long a client may take to send and to read, in milliseconds; whoever takes longer is disconnected. */
export interface Patience {
  readonly handshakeTimeout: number;
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
  /** Of a reader that takes nothing while its answer waits. */
  readonly readTimeout: number;
  /** Of an HTTP/2 connection on which nothing is asked. */
  readonly idleTimeout: number;
}

const PATIENCE: Patience = {
  handshakeTimeout: 32_000,
  headersTimeout: 32_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5000,
  readTimeout: 60_000,
  idleTimeout: 90_000,
};

/** Who the server is, and whose clients' certificates it verifies. */
export interface TlsIdentity {
  readonly certificate: string;
  readonly key: string;
  /** Sign client certificates, PEM; a client that shows none, or one of another's, is not refused here. */
  readonly clientCa: string;
  /** Signs the certificates of authenticating proxies, PEM. */
  readonly proxyCa?: string;
}

export interface HttpServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Absent where another stands before this server and speaks TLS with clients: then it speaks plain HTTP/1.1. */
  readonly tls?: TlsIdentity;
  /** What that one tells of clients' certificates. Default nothing. */
  readonly vouched?: VouchedBy;
  /** Whether large answers are compressed for clients that accept it. Over TLS never for clients on the loopback interface. */
  readonly gzip: boolean;
  /** Default: upstream's 32 s for a handshake and for headers, its 60 s of a request for all of it, and 90 s of an idle connection. */
  readonly patience?: Patience;
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** A fault while writing: the client is gone, or the program is wrong. */
  onFault(error: unknown): void;
}

/** Upstream's limit on a request's headers, its URL included, in bytes. */
const MAX_HEADERS = 1024 * 1024;
const HEADERS = { maxHeaderSize: MAX_HEADERS, maxHeaderListPairs: 2000, maxSessionInvalidFrames: 100 };

/** HTTPS with HTTP/2 and HTTP/1.1 on one port, or plain HTTP/1.1. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Http2SecureServer | Server;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #sockets = new Set<Socket>();
  readonly #ending = new AbortController();
  readonly #patience: Patience;
  readonly #authorities: ReadonlyMap<string, readonly Signer[]>;

  private constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#patience = options.patience ?? PATIENCE;
    const serve = (incoming: Incoming, outgoing: Outgoing): void => this.#serve(incoming, outgoing);
    const { tls } = options;
    this.#authorities = tls === undefined ? new Map() : authorities(tls);
    this.#server =
      tls === undefined
        ? createServer(plain(this.#patience), serve)
        : createSecureServer(secure(tls, this.#patience), serve);
    this.#server.on('session', (session: ServerHttp2Session) => this.#track(session));
    this.#server.on('connection', (socket: Socket) => this.#trackSocket(socket));
  }

  /** Begins to listen. Rejects with the system's error (EADDRINUSE) where it cannot. */
  static async listen(options: HttpServerOptions): Promise<HttpServer> {
    const server = new HttpServer(options);
    server.#server.listen(options.port, options.host);
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #track(session: ServerHttp2Session): void {
    this.#sessions.add(session);
    session.on('error', (error: NodeJS.ErrnoException) => this.#broken(error));
    session.once('close', () => this.#sessions.delete(session));
    endWhenIdle(session, this.#patience.idleTimeout);
  }

  /** A peer that breaks the protocol, or goes away, is no fault of ours. */
  #broken(error: NodeJS.ErrnoException): void {
    if (error.code === 'ERR_HTTP2_ERROR' || error.code === 'ERR_HTTP2_SESSION_ERROR' || error.code === 'ECONNRESET')
      return;
    this.#options.onFault(error);
  }

  #trackSocket(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  #serve(incoming: Incoming, outgoing: Outgoing): void {
    if (hosts(incoming) > 1) return refuse(outgoing);
    const request = apiRequest(incoming, {
      signal: () => this.#signal(outgoing),
      authorities: this.#authorities,
      vouched: this.#options.vouched,
    });
    const { readTimeout } = this.#patience;
    const isNear = this.#options.tls !== undefined && isLoopback(incoming.socket?.remoteAddress);
    const gzip = this.#options.gzip && acceptsGzip(request) && !isNear;
    this.#options
      .handle(request)
      .then((response) => writeResponse(outgoing, response, { gzip, readTimeout }))
      .then(() => leaveUnread(incoming, outgoing))
      .catch((error: unknown) => {
        this.#options.onFault(error);
        breakOff(outgoing);
      });
  }

  /** Aborts when the client goes away or the server ends. Few requests ask. */
  #signal(outgoing: Outgoing): AbortSignal {
    const gone = new AbortController();
    if (outgoing.closed) gone.abort();
    outgoing.once('close', () => gone.abort());
    return AbortSignal.any([gone.signal, this.#ending.signal]);
  }

  /** Ends cleanly: streams get their end (and their last bookmark), then connections close. */
  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#ending.abort();
    for (const session of this.#sessions) session.close();
    const force = setTimeout(() => this.#destroy(), 2000);
    await closed;
    clearTimeout(force);
  }

  #destroy(): void {
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Whoever stands before us keeps its connections, and finds them open. */
const plain = (patience: Patience) => ({
  maxHeaderSize: MAX_HEADERS,
  ...patience,
  keepAliveTimeout: patience.idleTimeout,
});

const secure = ({ certificate, key, clientCa, proxyCa = '' }: TlsIdentity, patience: Patience) => ({
  cert: certificate,
  key,
  ca: [clientCa, proxyCa].filter((pem) => pem !== ''),
  requestCert: true,
  rejectUnauthorized: false,
  ...HEADERS,
  ...patience,
  allowHTTP1: true,
  settings: { maxConcurrentStreams: 1000, maxHeaderListSize: MAX_HEADERS },
});

/** A silent stream keeps its connection. */
function endWhenIdle(session: ServerHttp2Session, milliseconds: number): void {
  let open = 0;
  session.on('stream', (stream) => {
    open++;
    stream.once('close', () => open--);
  });
  session.setTimeout(milliseconds, () => {
    if (open === 0) session.close();
  });
}

/** Milliseconds that a client has to read an answer which came before its request was whole. */
const LINGER = 1000;

/** A body that is still coming when its answer is written is not waited for. */
function leaveUnread(incoming: Incoming, outgoing: Outgoing): void {
  if (incoming.complete || outgoing.closed || ('stream' in incoming && incoming.stream.endAfterHeaders)) return;
  const timer = setTimeout(() => incoming.destroy(), LINGER);
  incoming.once('close', () => clearTimeout(timer));
  incoming.once('end', () => clearTimeout(timer));
}

function isLoopback(address: string | undefined): boolean {
  return address === undefined || address === '::1' || /^(::ffff:)?127\./.test(address);
}

/** Whose certificates each authority signs, by its fingerprint. */
function authorities({ clientCa, proxyCa = '' }: TlsIdentity): ReadonlyMap<string, readonly Signer[]> {
  const bundles: Readonly<Record<Signer, string>> = { client: clientCa, proxy: proxyCa };
  const known = new Map<string, Signer[]>();
  for (const signer of ['client', 'proxy'] as const) {
    for (const [pem] of bundles[signer].matchAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)) {
      const { fingerprint256 } = new X509Certificate(pem);
      known.set(fingerprint256, [...(known.get(fingerprint256) ?? []), signer]);
    }
  }
  return known;
}

const hosts = ({ rawHeaders }: Incoming): number =>
  rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;

/** Who stands before us may have decided by the other of two hosts. RFC 9112, 3.2. */
function refuse(outgoing: Outgoing): void {
  outgoing.statusCode = 400;
  outgoing.setHeader('content-type', 'text/plain; charset=utf-8');
  outgoing.end('400 Bad Request');
}
