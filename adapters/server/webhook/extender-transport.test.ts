import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect as connectSocket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Authority } from '#lib/controllers/certificates/issue.ts';
import type { ExtenderTls } from '#lib/scheduler/extender/transport.ts';
import { newAuthority } from '#local/certs.ts';
import { HttpExtenderTransport } from './extender-transport.ts';

const PLAIN: ExtenderTls = { insecure: false, serverName: '', ca: '' };

let authority: Authority;
let plain: Server;
let secure: Server;
let sockets = 0;

/** Returns the request that it received. Never responds at `/slow`, and switches protocols at `/upgrade`. */
function listener(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/slow') return;
  if (request.url === '/upgrade') {
    request.socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
    return;
  }
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const peer = request.socket as Partial<TLSSocket>;
    const name = peer.getPeerCertificate?.().subject?.CN ?? '';
    const received = [
      request.method,
      request.url,
      request.headers['content-type'],
      Buffer.concat(parts).toString(),
      name,
    ];
    response.writeHead(request.url === '/refused' ? 503 : 200).end(received.join(' '));
  });
}

beforeAll(async () => {
  authority = await newAuthority(new Date());
  const { certificate, key } = await authority.issue({ name: 'extender' }, ['extender.ns.svc']);
  plain = createServer(listener).on('connection', () => sockets++);
  const tls = { cert: certificate, key, requestCert: true, rejectUnauthorized: false };
  secure = createSecureServer(tls, listener);
  for (const server of [plain, secure]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
});
afterAll(() => {
  for (const server of [plain, secure]) {
    server.closeAllConnections();
    server.close();
  }
});

const url = (server: Server, path: string): string =>
  `${server === plain ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

async function told(server: Server, path: string, tls = PLAIN, timeout = 10_000): Promise<string> {
  using transport = new HttpExtenderTransport();
  const { status, body } = await transport.post({ url: url(server, path), tls, body: Buffer.from('{}'), timeout });
  return `${status} ${Buffer.from(body).toString()}`;
}

test('accepts no response from an extender that switches protocols', async () => {
  await expect(told(plain, '/upgrade')).rejects.toThrow('the extender left HTTP (101)');
});

test('posts JSON and returns the response', async () => {
  expect(await told(plain, '/filter')).toBe('200 POST /filter application/json {} ');
  expect(await told(plain, '/refused')).toMatch(/^503 /);
});

test('keeps its connection', async () => {
  using transport = new HttpExtenderTransport();
  const before = sockets;
  for (let i = 0; i < 3; i++)
    await transport.post({ url: url(plain, '/'), tls: PLAIN, body: Buffer.from(''), timeout: 10_000 });
  expect(sockets - before).toBe(1);
});

test('authenticates both sides over TLS', async () => {
  const { certificate, key } = await authority.issue({ name: 'scheduler' }, []);
  const ca = authority.certificate;
  const tls = { insecure: false, serverName: 'extender.ns.svc', ca, client: { certificate, key } };
  expect(await told(secure, '/filter', tls)).toBe('200 POST /filter application/json {} scheduler');
  expect(await told(secure, '/filter', { ...PLAIN, insecure: true })).toMatch(/^200 /);
  await expect(told(secure, '/filter', PLAIN)).rejects.toThrow(/Post "https:.*certificate/);
  await expect(told(secure, '/filter', { ...tls, serverName: 'other' })).rejects.toThrow('other');
});

test('times out if an extender does not respond', async () => {
  await expect(told(plain, '/slow', PLAIN, 50)).rejects.toThrow(/Post "http:.*": no answer within 50 ms/);
});

test('reports an extender without a listener', async () => {
  using transport = new HttpExtenderTransport();
  const request = { url: 'http://127.0.0.1:1/filter', tls: PLAIN, body: Buffer.from(''), timeout: 10_000 };
  await expect(transport.post(request)).rejects.toThrow('ECONNREFUSED');
});

test.each([
  ['http', 'http://extender.ns.svc:8888/filter'],
  ['https', 'https://extender.ns.svc/filter'],
])('calls an extender with a Service name at its address over %s', async (_, named) => {
  const { port } = (named.startsWith('https') ? secure : plain).address() as AddressInfo;
  const tls = { ...PLAIN, ca: authority.certificate };
  const request = { url: named, tls, body: Buffer.from('{}'), timeout: 10_000 };
  using transport = new HttpExtenderTransport();
  const connect = { host: '127.0.0.1', port };
  expect((await transport.post({ ...request, connect })).status).toBe(200);
  await expect(transport.post({ ...request, connect: { host: '169.254.169.254', port } })).rejects.toThrow(
    `Post "${named}": dial tcp 169.254.169.254:${port}: link-local and metadata addresses are not called`,
  );
  const opened: unknown[] = [];
  using inPods = new HttpExtenderTransport(async (pod) => {
    opened.push(pod);
    return connectSocket(port, '127.0.0.1');
  });
  const pod = { host: '10.0.0.9', port: 8443, via: { node: 'n1', podUid: 'u1' } };
  expect((await inPods.post({ ...request, connect: pod })).status).toBe(200);
  expect(opened).toEqual([pod]);
});
