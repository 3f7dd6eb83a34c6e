import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { messageOfError } from '#lib/machinery/error-message.ts';
import {
  type NodeAnswer,
  type NodeRequest,
  type NodeResponse,
  textAnswer,
} from '#lib/node/kubelet/server/node-request.ts';
import type { Purpose } from '#lib/server/channel/grant.ts';
import { passOn } from './runtime-session.ts';

/** The request handler of a node's server, and its fault handler. */
export interface NodeServerOptions {
  handle(request: NodeRequest): Promise<NodeResponse>;
  onFault(error: unknown): void;
}

/** How the client is authenticated on its connection: the purpose of its grant, or a certificate. */
export type Shown = Pick<NodeRequest, 'purpose' | 'clientCertificate'>;

/** The node's server for connections that are passed to it. It does not listen itself. */
export interface NodeServer {
  /** Serves the requests of a connection that was granted for a purpose. */
  accept(connection: Duplex, purpose: Purpose): void;
}

/** Creates a server for connections that are passed to it. */
export function newNodeServer(options: NodeServerOptions): NodeServer {
  const purposes = new WeakMap<object, Purpose>();
  const server = createServer();
  answerRequests(server, {
    ...options,
    shownBy({ socket }) {
      const purpose = purposes.get(socket);
      if (purpose === undefined) throw new Error('the connection of a request has no grant');
      return { purpose };
    },
  });
  return {
    accept(connection, purpose) {
      purposes.set(connection, purpose);
      connection.on('error', () => undefined); // the client has disconnected, and its reader or writer gets the error
      server.emit('connection', connection);
    },
  };
}

/** How requests are handled, and how their clients are authenticated. */
export interface Serving extends NodeServerOptions {
  /** Throws Error for a connection that must not be served. */
  shownBy(request: IncomingMessage): Shown;
}

/** Handles the requests of an HTTP server. */
export function answerRequests(server: Server, serving: Serving): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void answered(serving, request, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void upgraded(serving, request, { socket, head });
  });
}

async function answered(options: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    request.resume(); // the bodies of requests are never used
    const answer = await answerOf(options, nodeRequest(options, request, { isUpgrade: false, signal: gone.signal }));
    const { status, headers, body } = 'session' in answer ? unexpected() : answer;
    const isWhole = typeof body === 'string' || body instanceof Uint8Array;
    response.writeHead(status, isWhole ? { ...headers, 'content-length': Buffer.byteLength(body) } : headers);
    if (request.method === 'HEAD') {
      response.end();
      if (!isWhole) for await (const _ of body) break; // the response closes its file once it has started
    } else if (isWhole) response.end(body);
    else {
      response.flushHeaders(); // a log may stay silent for a long time
      await pump(body, response, gone.signal);
      response.end();
    }
  } catch (error) {
    options.onFault(error);
    response.destroy();
  }
}

interface Upgraded {
  readonly socket: Duplex;
  /** The bytes that arrived after the request. */
  readonly head: Buffer;
}

async function upgraded(options: Serving, request: IncomingMessage, client: Upgraded): Promise<void> {
  const { socket } = client;
  const gone = new AbortController();
  socket.once('close', () => gone.abort()).on('error', () => undefined);
  try {
    const answer = await answerOf(options, nodeRequest(options, request, { isUpgrade: true, signal: gone.signal }));
    const refusal = 'session' in answer ? await passOn(request, client, answer) : answer;
    if (refusal !== undefined) await refuse(socket, refusal, gone.signal);
  } catch (error) {
    options.onFault(error);
    if (!socket.writableEnded) socket.destroy();
  }
}

async function answerOf({ handle, onFault }: NodeServerOptions, request: NodeRequest): Promise<NodeResponse> {
  try {
    return await handle(request);
  } catch (error) {
    onFault(error);
    return textAnswer(500, messageOfError(error));
  }
}

const unexpected = (): NodeAnswer => textAnswer(500, 'Upgrade request required\n');

/** Responds to a request to switch protocols without a switch. */
async function refuse(socket: Duplex, { status, headers, body }: NodeAnswer, signal: AbortSignal): Promise<void> {
  const fields = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${fields.join('')}\r\n`);
  if (typeof body === 'string' || body instanceof Uint8Array) socket.write(body);
  else await pump(body, socket, signal);
  socket.end();
}

/** Writes the body as fast as the client reads it. */
async function pump(body: AsyncIterable<Uint8Array>, to: Duplex | ServerResponse, signal: AbortSignal): Promise<void> {
  for await (const chunk of body) {
    if (signal.aborted) return;
    if (!to.write(chunk)) await once(to, 'drain', { signal }).catch(() => undefined);
  }
}

function nodeRequest(
  { shownBy }: Serving,
  request: IncomingMessage,
  more: Pick<NodeRequest, 'isUpgrade' | 'signal'>,
): NodeRequest {
  const [path = '', ...query] = (request.url ?? '').split('?');
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(',')] as const],
  );
  return {
    method: request.method ?? '',
    path,
    query: new URLSearchParams(query.join('?')),
    headers: Object.fromEntries(headers),
    ...shownBy(request),
    ...more,
  };
}
