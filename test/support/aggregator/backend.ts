import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { ANSWERS } from './answers.ts';

/** A request as the backend received it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  /** Lines `name: value`, with names in lower case, sorted. */
  readonly headers: readonly string[];
  readonly body: string;
  /** The common name of the client's certificate; empty if another authority signed it. */
  readonly peer: string;
}

/** An aggregated server that sends the response in each request's `x-answer`, and records requests. */
export interface Backend extends AsyncDisposable {
  readonly port: number;
  /** Returns the requests since the last call, except availability checks and discovery. */
  take(): Seen[];
}

/** The certificate and key of the backend, and the CA of its clients. PEM. */
export interface BackendFiles {
  readonly cert: string;
  readonly key: string;
  readonly clientAuthority: string;
}

/** Starts it on a free loopback port. */
export async function startBackend({ cert, key, clientAuthority }: BackendFiles): Promise<Backend> {
  const seen: Seen[] = [];
  const options = { cert, key, ca: clientAuthority, requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, (request, response) => {
    void bodyOf(request).then((body) => {
      if (isCheck(request)) return discover(request, response);
      seen.push(seenOf(request, body));
      const answer = ANSWERS[String(request.headers['x-answer'] ?? 'object')];
      if (answer === undefined) response.writeHead(500).end('no such answer');
      else answer(request, response);
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    seen.push(seenOf(request, ''));
    upgrade(request, socket);
  });
  await once(server.listen(0, 'localhost'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    take: () => seen.splice(0),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Whether the request is the aggregator's own: for the server's health, resources or documents. */
const isCheck = ({ headers }: IncomingMessage): boolean =>
  ['system:kube-aggregator', 'system:aggregator'].includes(String(headers['x-remote-user']));

/** Discovery by the group's name. For example, `status-N.example.com` returns status N. */
function discover({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const [, , group = '', version = ''] = url.split(/[/?]/);
  const status = /^status-(\d+)\./.exec(group)?.[1];
  if (status !== undefined) {
    response.writeHead(Number(status), status.startsWith('3') ? { location: '/apis' } : {}).end('told to');
    return;
  }
  if (version === '') return void response.writeHead(404).end();
  const groupVersion = group.startsWith('lies') ? 'apps/v1' : `${group}/${version}`;
  const verbs = ['get', 'list', 'watch'];
  const resources = [{ name: 'things', singularName: 'thing', kind: 'Thing', namespaced: true, verbs }];
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources }));
}

function seenOf(request: IncomingMessage, body: string): Seen {
  const { method = '', url = '', rawHeaders } = request;
  const headers: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    headers.push(`${rawHeaders[i]?.toLowerCase()}: ${rawHeaders[i + 1]}`);
  const socket = request.socket as TLSSocket;
  const peer = socket.authorized ? String(socket.getPeerCertificate().subject.CN) : '';
  return { method, url, headers: headers.sort(), body, peer };
}

/** Switches to a protocol that echoes each byte, or refuses, as `x-answer` requests. */
function upgrade(request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => {});
  const asked = String(request.headers['x-answer'] ?? 'switch');
  if (asked !== 'switch') {
    const [code = '', text = ''] = asked.split(':');
    socket.end(`HTTP/1.1 ${code} ${text}\r\nContent-Type: text/plain\r\nContent-Length: 7\r\n\r\nrefused`);
    return;
  }
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', `Upgrade: ${request.headers.upgrade}`];
  socket.write([...lines, 'X-Own: a', '', ''].join('\r\n'));
  socket.pipe(socket);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return `${Buffer.concat(chunks).toString()} (broken off)`;
  }
  return Buffer.concat(chunks).toString();
}
