import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { newAuthority } from '#local/certs.ts';
import type { KubeletOptions } from '#local/backends.ts';
import { onLoopback } from '#test/loopback.ts';
import { BINARY, CLOSE, frame, messages } from './web-socket.ts';

/** Handlers of the test's kubelet by path; the first match answers. */
export interface Behaviour {
  request?(request: IncomingMessage, response: ServerResponse): void;
  upgrade?(request: IncomingMessage, socket: Duplex): void;
}

/** A kubelet's HTTPS server as far as an API server sees it: it refuses whoever shows no certificate of the right authority. */
export interface Kubelet {
  readonly port: number;
  /** How an API server has to be started that reaches it, on one machine. */
  readonly options: Required<Pick<KubeletOptions, 'client' | 'caBundle' | 'isProxyable'>>;
  /** Path and query of each request, in order. */
  readonly asked: string[];
  /** Headers of the last request. */
  headers(): IncomingMessage['headers'];
  /** The subject of the latest client certificate. */
  client(): string;
  /** Connections that are open. */
  connections(): number;
  /** Status of a Node that has this kubelet. */
  readonly nodeStatus: {
    readonly addresses: readonly { readonly type: string; readonly address: string }[];
    readonly daemonEndpoints: { readonly kubeletEndpoint: { readonly Port: number } };
  };
  /** Answers requests whose path begins with `prefix` from now on. */
  on(prefix: string, behaviour: Behaviour): void;
  close(): Promise<void>;
}

/** `clientAuthority`, PEM: signs the certificate of the API server that it takes requests of. Default its own. */
export async function startKubelet(clientAuthority?: string): Promise<Kubelet> {
  const authority = await newAuthority(new Date());
  const [serving, client] = await Promise.all([
    authority.issue({ name: 'node' }, ['127.0.0.1']),
    authority.issue({ name: 'apiserver' }),
  ]);
  const behaviours = new Map<string, Behaviour>();
  const asked: string[] = [];
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
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: true }, (request, response) => {
    const { request: act } = behaviourOf(request);
    if (act === undefined) response.writeHead(404).end('404 page not found\n');
    else act(request, response);
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    shown = String(socket.getPeerCertificate().subject.CN);
    open++;
    socket.once('close', () => open--).on('error', () => {});
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    const { upgrade } = behaviourOf(request);
    if (upgrade === undefined) socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
    else upgrade(request, socket);
  });
  const { port, close } = await onLoopback(server);
  return {
    port,
    asked,
    options: { client, caBundle: authority.certificate, isProxyable: () => true },
    headers: () => last?.headers ?? {},
    client: () => shown,
    connections: () => open,
    nodeStatus: {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
    },
    on: (prefix, behaviour) => void behaviours.set(prefix, behaviour),
    close,
  };
}

/** Begins a WebSocket of the subprotocol that the client named first. */
export function accept({ headers }: IncomingMessage, socket: Duplex): string {
  const key = `${headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const [protocol = ''] = (headers['sec-websocket-protocol'] ?? '').split(/, */);
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${createHash('sha1').update(key).digest('base64')}\r\nSec-WebSocket-Protocol: ${protocol}\r\n\r\n`,
  );
  return protocol;
}

const STDIN = 0;
const STDOUT = 1;
const STATUS = 3;
const END = 255;

/** A container that writes its command, and what it reads, to its standard output: `exec` by WebSocket v5 and v4. */
export const echoing: Behaviour = {
  upgrade(request, socket) {
    accept(request, socket);
    const query = new URL(request.url ?? '', 'https://node').searchParams;
    const send = (channel: number, text: Uint8Array | string): void =>
      void socket.write(frame(BINARY, Buffer.concat([Buffer.from([channel]), Buffer.from(text)])));
    const end = (): void => {
      send(STATUS, JSON.stringify({ metadata: {}, status: 'Success' }));
      socket.write(frame(CLOSE, Buffer.from([0x03, 0xe8])));
    };
    send(STDOUT, `${query.getAll('command').join(' ')}\n`);
    if (query.get('input') === null) end();
    void (async () => {
      for await (const { opcode, payload } of messages(socket)) {
        if (opcode === CLOSE) return void socket.end();
        if (payload[0] === STDIN) send(STDOUT, payload.subarray(1));
        if (payload[0] === END) end();
      }
    })().catch(() => socket.destroy());
  },
};
