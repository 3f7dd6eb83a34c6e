import { once } from 'node:events';
import { type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { serveTexts } from './text-server.ts';

const logged: string[] = [];
const release = Promise.withResolvers<string>();
let made = 0;
let server: Server;

beforeAll(async () => {
  const text = (said: string) => ({ type: 'text/plain', text: async () => said });
  server = await serveTexts({
    address: { host: '127.0.0.1', port: 0 },
    pages: {
      '/healthz': text('ok'),
      '/slow': { type: 'text/plain', text: () => (made++, release.promise) },
      '/metrics': { type: 'text/plain', text: () => Promise.reject(new Error('nothing was collected')) },
    },
    log: { info() {}, error: (message) => void logged.push(message) },
  });
});
afterAll(() => server.close());

async function ask(path: string, method = 'GET'): Promise<readonly [number | undefined, string]> {
  const asked = request({
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    path,
    method,
    agent: false,
  });
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
  asked.end();
  const [answer] = await answered;
  return [answer.statusCode, Buffer.concat(await answer.toArray()).toString()];
}

test.each([
  ['/healthz', 'GET', 200, 'ok'],
  ['/healthz?verbose', 'GET', 200, 'ok'],
  ['http://other.example/healthz', 'GET', 200, 'ok'],
  ['/healthz', 'HEAD', 200, ''],
  ['/healthz', 'POST', 405, ''],
  ['/', 'GET', 404, ''],
  ['//', 'GET', 404, ''],
  ['//[', 'GET', 404, ''],
  ['/toString', 'GET', 404, ''],
])('returns for %s: %s the status %d', async (path, method, status, text) => {
  expect(await ask(path, method)).toEqual([status, text]);
});

test('logs and returns 500 for a page that cannot be built', async () => {
  expect(await ask('/metrics?x')).toEqual([500, '']);
  expect(logged).toEqual(['/metrics: nothing was collected']);
});

test('builds a page once for concurrent requests, and serves a hundred requests per connection', async () => {
  await using socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined); // disposal closes the socket early
  let told = '';
  socket.on('data', (chunk: Buffer) => (told += chunk.toString()));
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(150));
  await eventually(() => expect(made).toBe(1));
  const other = ask('/slow');
  expect(await ask('/healthz')).toEqual([200, 'ok']);
  release.resolve('made');
  expect(await other).toEqual([200, 'made']);
  const statuses = (): string[] => [...told.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status ?? '');
  await eventually(() => expect(statuses().length).toBe(150));
  expect(statuses().filter((status) => status === '200')).toHaveLength(100);
  expect(made).toBe(1);
});
