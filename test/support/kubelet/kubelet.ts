import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { TcpDialer } from '#adapters/server/kubelet/tcp-dialer.ts';
import { isForbidden } from '#lib/server/channel/address-policy.ts';
import type { Dialer } from '#lib/server/channel/dialer.ts';
import type { KubeletOptions } from '#local/backends.ts';
import { newAuthority } from '#local/certs.ts';
import { onLoopback } from '#test/support/loopback.ts';

/** Handlers of the test's kubelet by path. The first match handles the request. */
export interface Behaviour {
  request?(request: IncomingMessage, response: ServerResponse): void;
  upgrade?(request: IncomingMessage, socket: Duplex): void;
}

/** A kubelet's HTTPS server as an API server sees it. It rejects clients without a certificate from the right authority. */
export interface Kubelet {
  readonly port: number;
  /** The options for an API server on the same machine that reaches it. */
  readonly options: Required<Pick<KubeletOptions, 'client' | 'caBundle' | 'isProxyable' | 'dialer'>>;
  /** Path and query of each request, in order. */
  readonly asked: string[];
  /** Protocol, path and query of each upgrade request, in order. */
  readonly upgrades: string[];
  /** Headers of the last request. */
  headers(): IncomingMessage['headers'];
  /** The head of the last request, as it was sent. */
  head(): string;
  /** The subject of the latest client certificate. */
  client(): string;
  /** The number of open connections. */
  connections(): number;
  /** The status of a Node with this kubelet. */
  readonly nodeStatus: {
    readonly addresses: readonly { readonly type: string; readonly address: string }[];
    readonly daemonEndpoints: { readonly kubeletEndpoint: { readonly Port: number } };
  };
  /** Adds a handler for requests whose path begins with `prefix`. */
  on(prefix: string, behaviour: Behaviour): void;
  /** Serves a connection from a channel, without TLS. */
  accept(connection: Duplex): void;
  close(): Promise<void>;
}

/** The prefix of the test pods' addresses, which are routed to this machine. */
const POD_NETWORK = '10.64.';
const tcp = new TcpDialer({ isForbidden, isProxyable: () => true });
const dialer: Dialer = {
  dial: (target, signal) =>
    tcp.dial(target.host.startsWith(POD_NETWORK) ? { ...target, host: '127.0.0.1' } : target, signal),
};

/** Starts a kubelet. `clientAuthority`, PEM, signs the certificates of the API servers that it accepts. Defaults to its own authority. */
export async function startKubelet(clientAuthority?: string): Promise<Kubelet> {
  const authority = await newAuthority(new Date());
  const [serving, client] = await Promise.all([
    authority.issue({ name: 'node' }, ['127.0.0.1']),
    authority.issue({ name: 'apiserver' }),
  ]);
  const behaviours = new Map<string, Behaviour>();
  const asked: string[] = [];
  const upgrades: string[] = [];
  let last: IncomingMessage | undefined;
  let shown = '';
  let open = 0;
  const behaviourOf = (request: IncomingMessage): Behaviour => {
    last = request;
    asked.push(request.url ?? '');
    const found = [...behaviours].reverse().find(([prefix]) => (request.url ?? '').startsWith(prefix));
    return found?.[1] ?? {};
  };
  const tls = { cert: serving.certificate, key: serving.key, ca: clientAuthority ?? authority.certificate };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { request: act } = behaviourOf(request);
    if (act === undefined) response.writeHead(404).end('404 page not found\n');
    else act(request, response);
  };
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: true }, answer);
  server.on('secureConnection', (socket: TLSSocket) => {
    shown = String(socket.getPeerCertificate().subject.CN);
    open++;
    socket.once('close', () => open--).on('error', () => {});
  });
  const change = (request: IncomingMessage, socket: Duplex): void => {
    upgrades.push(`${request.headers.upgrade ?? ''} ${request.url ?? ''}`);
    const { upgrade } = behaviourOf(request);
    socket.on('error', () => {});
    if (upgrade === undefined) socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
    else upgrade(request, socket);
  };
  server.on('upgrade', change);
  const carried = createHttpServer(answer).on('upgrade', change);
  const { port, close } = await onLoopback(server);
  return {
    port,
    asked,
    upgrades,
    options: { client, caBundle: authority.certificate, isProxyable: () => true, dialer },
    headers: () => last?.headers ?? {},
    head: () => headOf(last),
    client: () => shown,
    connections: () => open,
    nodeStatus: {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
    },
    on: (prefix, behaviour) => void behaviours.set(prefix, behaviour),
    accept: (connection) =>
      void carried.emit(
        'connection',
        connection.on('error', () => {}),
      ),
    close,
  };
}

function headOf(request: IncomingMessage | undefined): string {
  const { method, url, rawHeaders = [] } = request ?? {};
  const lines = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${rawHeaders[i + 1] ?? ''}`] : []));
  return [`${method ?? ''} ${url ?? ''} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}
