import { constants } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { untilAborted } from '#lib/machinery/wait/unless-aborted.ts';
import type { VouchedBy } from '#lib/server/authentication/authenticator.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { acceptsGzip } from '#lib/server/endpoints/gzip.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { type Authorities, authoritiesOf, type Connection, connectionOf } from './connection.ts';
import { type ByteCount, FloodGuard } from './flood.ts';
import { refusePlainHttp } from './plain-http.ts';
import { apiRequest, type Incoming } from './request.ts';
import { breakOff, type Outgoing, writeResponse } from './response.ts';
import { isBusy } from './stretch.ts';
import { originForm } from './target.ts';
import { Turns } from './turns.ts';
import { UpgradableMessage } from './upgradable-message.ts';
import { answerOn, dropUnread, hasBody, switchProtocols } from './upgrade.ts';

/** Time limits in ms for clients to send and to read. A slower client is disconnected. */
export interface Patience {
  readonly handshakeTimeout: number;
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
  /** Limit for a reader that accepts no data while a response waits. */
  readonly readTimeout: number;
  /** Limit for an HTTP/2 connection without requests. */
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

/** The server's certificate and key, and the CAs of client certificates. */
export interface TlsIdentity {
  readonly certificate: string;
  readonly key: string;
  /** The CA of client certificates, PEM. Clients without a certificate, or with one from another CA, are not rejected here. */
  readonly clientCa: string;
  /** The CA of certificates of authenticating proxies, PEM. */
  readonly proxyCa?: string;
}

/** The address, certificates and limits of the server. */
export interface HttpServerOptions {
  readonly host: string;
  /** 0 selects any free port. */
  readonly port: number;
  /** If absent, a proxy terminates TLS in front of this server, which then uses plain HTTP/1.1. */
  readonly tls?: TlsIdentity;
  /** Reads the client certificate that a front proxy vouches for. Default: none. */
  readonly vouched?: VouchedBy;
  /**
   * Whether large responses are compressed for clients that accept compression. Over TLS they are never compressed for clients on the
   * loopback interface.
   */
  readonly gzip: boolean;
  /** Default: upstream's 32 s for a handshake and for headers, its 60 s for a whole request, and 90 s for an idle connection. */
  readonly patience?: Patience;
  /** Whether connections may switch to other protocols. Default: true. A proxy in front of this server may only forward requests. */
  readonly upgrades?: boolean;
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** Called for an error during a write. Either the client has disconnected, or the program has a bug. */
  onFault(error: unknown): void;
}

/** Upstream's limit on a request's headers in bytes, including the URL. */
const MAX_HEADERS = 1024 * 1024;
/**
 * node ends a session without GOAWAY after this many invalid or empty frames, or refused streams. `flood.ts` ends it earlier, with GOAWAY.
 */
const NODE_COUNTS = { maxSessionInvalidFrames: 1_000_000, maxSessionRejectedStreams: 1_000_000 };
const HEADERS = { maxHeaderSize: MAX_HEADERS, maxHeaderListPairs: 2000, ...NODE_COUNTS };

interface Http2Request {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly connection: Connection;
  readonly count: ByteCount;
}

/** HTTPS with HTTP/2 and HTTP/1.1 on one port, or plain HTTP/1.1. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Http2SecureServer | Server;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #sockets = new Set<Socket>();
  readonly #ending = new AbortController();
  /** Responses in progress, including those that are not in the audit log yet. close() waits for them. */
  readonly #answers = new Set<Promise<void>>();
  readonly #floods = new FloodGuard();
  readonly #patience: Patience;
  readonly #authorities: Authorities;
  readonly #connections = new WeakMap<Socket, Connection>();

  private constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#patience = options.patience ?? PATIENCE;
    const { tls } = options;
    this.#authorities = authoritiesOf({ client: tls?.clientCa ?? '', proxy: tls?.proxyCa ?? '' });
    this.#server = tls === undefined ? createServer(plain(this.#patience)) : secureServer(tls, this.#patience);
    this.#server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#http1(request, response));
    if (options.upgrades !== false)
      this.#server.on('upgrade', (message: IncomingMessage, _socket: unknown, head: Buffer) =>
        this.#upgrade(message, head),
      );
    this.#server.removeAllListeners('stream'); // node's own listener, which creates requests and responses from HTTP/2 streams
    this.#server.on('session', (session: ServerHttp2Session) => this.#track(session));
    this.#server.on('connection', (socket: Socket) => this.#trackSocket(socket));
  }

  /** Starts to listen. Rejects with the system's error (such as EADDRINUSE) if it cannot. */
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
    const connection = connectionOf(session.socket, this.#authorities);
    const count = this.#floods.add(session);
    const turns = new Turns({ slice: 1, atOnce: 0 });
    session.on('stream', (stream, headers, _flags, rawHeaders: string[]) => {
      stream.on('error', ignore); // the client reset the stream
      if (!count.opened({ rawHeaders, hasBody: !stream.endAfterHeaders })) return;
      const request = { stream, headers, rawHeaders, connection, count };
      if (isBusy()) void turns.next().then(() => this.#http2(request));
      else this.#http2(request);
    });
  }

  /** Handles a connection error. A peer that violates the protocol or disconnects is not a fault of this server. */
  #broken(error: NodeJS.ErrnoException): void {
    if (error.code === 'ECONNRESET' || error.code?.startsWith('ERR_HTTP2_') === true) return;
    this.#options.onFault(error);
  }

  #trackSocket(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  #http1(message: IncomingMessage, response: ServerResponse): void {
    const refused = refusalOf(message);
    if (refused !== undefined) return refuse(response, refused);
    this.#serve(this.#incoming(message), response);
  }

  #incoming(message: IncomingMessage): Incoming {
    const { socket, method = 'GET', headers, rawHeaders } = message;
    const head = { method, headers: plainHeaders(headers), rawHeaders, connection: this.#connection(socket) };
    return { head, url: originForm(message.url ?? '/'), body: message };
  }

  #upgrade(message: IncomingMessage, head: Buffer): void {
    const { socket } = message;
    socket.on('error', ignore); // the client reset the stream
    const outgoing = answerOn(socket, message);
    const refused = hasBody(message) ? '400 Bad Request' : refusalOf(message);
    if (refused !== undefined) return refuse(outgoing, refused);
    const answer = this.#answerUpgrade(this.#incoming(message), outgoing, head);
    this.#follow(answer, () => socket.destroy());
  }

  async #answerUpgrade(incoming: Incoming, outgoing: ServerResponse, head: Buffer): Promise<void> {
    const { socket } = outgoing;
    if (socket === null) return; // the client has disconnected
    const request = apiRequest(incoming, { signal: () => this.#signal(socket), vouched: this.#options.vouched });
    const body = async (): Promise<Uint8Array> => new Uint8Array();
    const response = await this.#options.handle({ ...request, body, upgrade: incoming.head.headers['upgrade'] ?? '' });
    const { upgrade } = response;
    const { readTimeout } = this.#patience;
    if (upgrade !== undefined) {
      outgoing.detachSocket(socket);
      return switchProtocols({ socket, head, ending: this.#ending.signal, readTimeout }, { ...response, upgrade });
    }
    dropUnread(socket);
    await writeResponse(outgoing, response, { gzip: false, readTimeout });
  }

  #connection(socket: Socket): Connection {
    const connection = this.#connections.get(socket) ?? connectionOf(socket, this.#authorities);
    this.#connections.set(socket, connection);
    return connection;
  }

  #http2({ stream, headers, rawHeaders, connection, count }: Http2Request): void {
    if (stream.destroyed || stream.closed) return;
    const { ':method': method = 'GET', ':path': url = '/', expect } = headers;
    if (method === 'CONNECT') return stream.respond({ ':status': 405 }, { endStream: true });
    if (expect === '100-continue') stream.additionalHeaders({ ':status': 100 });
    else if (expect !== undefined) return stream.respond({ ':status': 417 }, { endStream: true });
    const received = (bytes: number): void => count.received(bytes);
    const head = { method, headers: plainHeaders(headers), rawHeaders, connection };
    this.#serve({ head, url, body: stream, received }, stream);
  }

  #serve(incoming: Incoming, outgoing: Outgoing): void {
    this.#follow(this.#answer(incoming, outgoing), () => breakOff(outgoing));
  }

  #follow(answer: Promise<void>, undo: () => void): void {
    const whole = answer
      .catch((error: unknown) => {
        this.#failed(error);
        undo();
      })
      .finally(() => this.#answers.delete(whole));
    this.#answers.add(whole);
  }

  /**
   * Handles an error of a response. A backend that cuts off its response is not a fault of this server. The client's response is cut off as
   * well.
   */
  #failed(error: unknown): void {
    if (!(error instanceof TransportError)) this.#options.onFault(error);
  }

  async #answer(incoming: Incoming, outgoing: Outgoing): Promise<void> {
    const request = apiRequest(incoming, { signal: () => this.#signal(outgoing), vouched: this.#options.vouched });
    const { readTimeout } = this.#patience;
    const isNear = this.#options.tls !== undefined && incoming.head.connection.isNear;
    const gzip = this.#options.gzip && !isNear && acceptsGzip(request);
    const response = await this.#options.handle(request);
    await writeResponse(outgoing, response, { gzip, readTimeout });
    leaveUnread(incoming, outgoing);
  }

  /**
   * The signal that aborts when the client disconnects or the server shuts down. It is created on first use, because few requests need it.
   */
  #signal(outgoing: Outgoing | Socket): AbortSignal {
    const gone = new AbortController();
    if (outgoing.closed) gone.abort();
    outgoing.once('close', () => gone.abort());
    return AbortSignal.any([gone.signal, this.#ending.signal]);
  }

  /** Shuts down cleanly: streams end (with their last bookmark), then connections close. It takes at most three seconds. */
  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#ending.abort();
    for (const session of this.#sessions) session.close();
    const force = setTimeout(() => this.#destroy(), GRACE);
    await closed;
    clearTimeout(force);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), ENDING);
    await untilAborted(Promise.all(this.#answers), late.signal);
    clearTimeout(timer);
  }

  #destroy(): void {
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Options without TLS. A front proxy keeps its connections and expects them to stay open. */
const plain = (patience: Patience) => ({
  maxHeaderSize: MAX_HEADERS,
  IncomingMessage: UpgradableMessage,
  ...patience,
  keepAliveTimeout: patience.idleTimeout,
});

function secureServer(tls: TlsIdentity, patience: Patience): Http2SecureServer {
  const server = createSecureServer(secure(tls, patience));
  refusePlainHttp(server);
  return server;
}

const secure = ({ certificate, key, clientCa, proxyCa = '' }: TlsIdentity, patience: Patience) => ({
  cert: certificate,
  key,
  ca: [clientCa, proxyCa].filter((pem) => pem !== ''),
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION, // the peer of a connection cannot change
  requestCert: true,
  rejectUnauthorized: false,
  ...HEADERS,
  ...patience,
  allowHTTP1: true,
  Http1IncomingMessage: UpgradableMessage,
  settings: { maxConcurrentStreams: 1000, maxHeaderListSize: MAX_HEADERS },
});

/** Time in ms for streams to end by themselves during shutdown. */
const GRACE = 2000;

/**
 * Time in ms for an idle connection to end, because node waits indefinitely for the rest of a started frame. Responses get the same time
 * after the connections have closed.
 */
const ENDING = 1000;

/**
 * Closes an idle connection. An open stream keeps its connection open, even a silent one. Frames without a stream and unfinished headers do
 * not.
 */
function endWhenIdle(session: ServerHttp2Session, milliseconds: number): void {
  let open = 0;
  let timer: NodeJS.Timeout;
  const end = (): void => {
    session.close();
    timer = setTimeout(() => session.destroy(), ENDING);
  };
  const wait = (): void => {
    timer = setTimeout(end, milliseconds);
  };
  session.on('stream', (stream) => {
    clearTimeout(timer);
    open++;
    stream.once('close', () => {
      if (--open === 0 && !session.destroyed) wait();
    });
  });
  session.once('close', () => clearTimeout(timer));
  wait();
}

/** Time in ms for a client to read a response that was sent before its request was complete. */
const LINGER = 1000;

/** Narrows the type of the headers. node joins the values of every header except set-cookie, which no handler reads. */
const plainHeaders = (headers: IncomingHttpHeaders): ApiRequest['headers'] => headers as ApiRequest['headers'];

/** Stops waiting for a body that is still arriving when its response has been written. */
function leaveUnread({ body }: Incoming, outgoing: Outgoing): void {
  if (outgoing.closed || isWhole(body)) return;
  const timer = setTimeout(() => body.destroy(), LINGER);
  body.once('close', () => clearTimeout(timer));
  body.once('end', () => clearTimeout(timer));
}

const isWhole = (body: Incoming['body']): boolean =>
  'complete' in body ? body.complete : body.readableEnded || body.endAfterHeaders;

/** The reason to reject an HTTP/1.1 request: a proxy in front may have interpreted it differently. RFC 9112, 2.3, 3.2 and 6.1. */
function refusalOf({ httpVersionMajor, headers, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersionMajor !== 1) return '505 HTTP Version Not Supported';
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') return '501 Not Implemented';
  return hosts(rawHeaders) > 1 ? '400 Bad Request' : undefined;
}

function hosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === 'host') count++;
  return count;
}

function refuse(response: ServerResponse, why: string): void {
  const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
  response.writeHead(Number(why.slice(0, 3)), headers).end(why);
}

function ignore(): void {}
