import { once } from 'node:events';
import { createServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newIdentity } from '#local/data-directory.ts';
import { onLoopback } from '#test/support/loopback.ts';
import { refusePlainHttp } from './plain-http.ts';
import { HttpServer } from './server.ts';

const REFUSAL = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';
const ports: Record<string, number> = {};
const closes: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const { server, authority } = await newIdentity('token', new Date(0));
  const api = await HttpServer.listen({
    host: '127.0.0.1',
    port: 0,
    tls: { certificate: server.certificate, key: server.key, clientCa: authority },
    gzip: false,
    handle: async () => ({ status: 200, headers: {}, body: '' }),
    onFault: () => undefined,
  });
  const webhooks = createServer({ cert: server.certificate, key: server.key });
  refusePlainHttp(webhooks);
  const listening = await onLoopback(webhooks);
  ports['HTTP/2'] = api.port;
  ports['HTTPS'] = listening.port;
  closes.push(() => api.close(), listening.close);
});
afterAll(() => Promise.all(closes.map((close) => close())));

/** Returns the text that the server sends before it disconnects. */
async function answerTo(sent: string, port = 0): Promise<string> {
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part)).on('error', () => undefined);
  socket.write(sent);
  await Promise.race([once(socket, 'end'), once(socket, 'close')]);
  socket.destroy();
  return Buffer.concat(parts).toString();
}

test.each([
  ['HTTP/2', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['HTTP/2', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}'],
  ['HTTP/2', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['HTTPS', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
])('a server of %s rejects plain HTTP with a message: %j', async (server, sent) => {
  expect(await answerTo(sent, ports[server])).toBe(REFUSAL);
});

test('returns a TLS alert or nothing for bytes that are neither TLS nor HTTP', async () => {
  expect(await answerTo('no protocol at all\r\n', ports['HTTP/2'])).not.toContain('HTTP');
});

test('serves a TLS client after one without TLS', async () => {
  await answerTo('GET / HTTP/1.1\r\n\r\n', ports['HTTP/2']);
  const socket = connectTls({ port: ports['HTTP/2'] ?? 0, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.end('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(Buffer.concat(await socket.toArray()).toString()).toMatch(/^HTTP\/1.1 200/);
});
