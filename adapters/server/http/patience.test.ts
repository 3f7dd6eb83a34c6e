import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { connect as connectPlain } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { newIdentity } from '#local/data-directory.ts';
import { block, END_HEADERS, END_STREAM, frame, preface, TYPE } from '#test/clients/integration/security/frames.ts';
import { HttpServer } from './server.ts';

const patience = {
  handshakeTimeout: 200,
  headersTimeout: 200,
  requestTimeout: 400,
  connectionsCheckingInterval: 50,
  readTimeout: 200,
  idleTimeout: 200,
};

async function listen(answer?: ApiResponse): Promise<HttpServer> {
  const { server, authority } = await newIdentity('token', new Date(0));
  return HttpServer.listen({
    host: '127.0.0.1',
    port: 0,
    tls: { certificate: server.certificate, key: server.key, clientCa: authority },
    gzip: false,
    patience,
    handle: async (request) => answer ?? { status: 200, headers: {}, body: await request.body() },
    onFault: () => undefined,
  });
}

test.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: x\r\n'],
  ['a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\na'],
])('disconnects a client that does not finish %s', async (_, sent) => {
  const server = await listen();
  const socket: TLSSocket = connect({ port: server.port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
  socket.on('error', () => undefined).resume();
  await once(socket, 'secureConnect');
  socket.write(sent);
  await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
  await server.close();
});

test('disconnects a client that starts no handshake', async () => {
  const server = await listen();
  const socket = connectPlain(server.port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
  await server.close();
});

const CHUNK = Buffer.alloc(1024 * 1024);
async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield CHUNK;
}

/** A client whose streams accept one kilobyte and then wait for their reader. */
const http2 = ({ port }: HttpServer): ClientHttp2Session =>
  connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, settings: { initialWindowSize: 1024 } }).on(
    'error',
    () => undefined,
  );

test.each<[string, ApiResponse['body']]>([
  ['a stream', endless()],
  ['a document', CHUNK],
])('disconnects a client that reads nothing of %s', async (_, body) => {
  const server = await listen({ status: 200, headers: {}, body });
  const session = http2(server);
  const stream = session.request({ ':path': '/' }).on('error', () => undefined);
  await new Promise((resolve) => stream.pause().once('close', resolve));
  expect(stream.rstCode).toBe(constants.NGHTTP2_INTERNAL_ERROR);
  session.destroy();
  await server.close();
});

const FIELDS = Object.entries({ ':method': 'GET', ':scheme': 'https', ':path': '/', ':authority': 'x' });
const headersFrame = frame(TYPE.headers, 1, block(FIELDS), END_STREAM);
const continued = frame(TYPE.continuation, 1, block([['x', 'a'.repeat(1000)]]), END_HEADERS);

test.each<[string, Buffer, (i: number) => Uint8Array]>([
  ['half a frame', headersFrame.subarray(0, 15), () => Buffer.alloc(0)],
  ['headers without an end', headersFrame, () => Buffer.alloc(0)],
  ['headers byte by byte', headersFrame, (i) => continued.subarray(i, i + 1)],
  ['pings', Buffer.alloc(0), () => frame(TYPE.ping, 0, Buffer.alloc(8))],
])('ends an idle connection of HTTP/2: %s', async (_, sent, more) => {
  const server = await listen();
  const socket = connect({ port: server.port, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
  socket.on('error', () => undefined).resume();
  await once(socket, 'secureConnect');
  socket.write(Buffer.concat([preface(), sent]));
  let i = 0;
  const timer = setInterval(() => socket.writable && socket.write(more(i++)), patience.idleTimeout / 4);
  await once(socket, 'close', { signal: AbortSignal.timeout(4000) }).finally(() => {
    clearInterval(timer);
    socket.destroy();
  });
  await server.close();
});

test('ends an idle connection, and keeps one with a silent stream', async () => {
  const server = await listen({ status: 200, headers: {}, body: silent() });
  const [idle, busy] = [http2(server), http2(server)];
  const stream = busy.request({ ':path': '/' }).on('error', () => undefined);
  await once(stream, 'response');
  await once(idle, 'close');
  expect([idle.closed, busy.closed]).toEqual([true, false]);
  busy.destroy();
  await server.close();
});

async function* silent(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a');
  await new Promise(() => undefined);
}
