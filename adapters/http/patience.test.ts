import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { newIdentity } from '#local/data-directory.ts';
import { HttpServer } from './server.ts';

const patience = { handshakeTimeout: 200, headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 };

async function listen(): Promise<HttpServer> {
  const { server, authority } = await newIdentity('token', new Date(0));
  return HttpServer.listen({
    host: '127.0.0.1',
    port: 0,
    certificate: server.certificate,
    key: server.key,
    clientCa: authority,
    gzip: false,
    patience,
    handle: async (request) => ({ status: 200, headers: {}, body: await request.body() }),
    onFault: () => undefined,
  });
}

test.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: x\r\n'],
  ['a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\na'],
])('who does not end %s is disconnected', async (_, sent) => {
  const server = await listen();
  const socket: TLSSocket = connect({ port: server.port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
  socket.on('error', () => undefined).resume();
  await once(socket, 'secureConnect');
  socket.write(sent);
  await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
  await server.close();
});

test('who begins no handshake is disconnected', async () => {
  const server = await listen();
  const socket = connectPlain(server.port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
  await server.close();
});
