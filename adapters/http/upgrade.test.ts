import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiRequest, ApiResponse } from '#lib/endpoints/api.ts';
import { HttpServer } from './server.ts';

let server: HttpServer;
let handle: (request: ApiRequest) => Promise<ApiResponse>;
const faults: unknown[] = [];
beforeAll(async () => {
  const onFault = (error: unknown): void => void faults.push(error);
  const options = { host: '127.0.0.1', port: 0, gzip: true, onFault };
  server = await HttpServer.listen({ ...options, handle: (request) => handle(request) });
});
afterAll(async () => {
  await server.close();
  expect(faults).toEqual([]);
});

/** A connection that has sent this, and what comes on it. */
async function sent(...lines: string[]): Promise<{ socket: Socket; text(): string }> {
  const socket = connect({ host: '127.0.0.1', port: server.port });
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk: Buffer) => void (text += chunk.toString())).on('error', () => {});
  socket.write(lines.join('\r\n'));
  return { socket, text: () => text };
}

const asking = (protocol: string, ...more: string[]): string[] => [
  'GET /x HTTP/1.1',
  'host: x',
  'connection: Upgrade',
  `upgrade: ${protocol}`,
  ...more,
  '',
];

test('bytes pass both ways, those sent ahead first, and each side ends the other', async () => {
  let isOver = false;
  handle = async ({ upgrade }) => {
    const { promise, resolve } = Promise.withResolvers<AsyncIterable<Uint8Array>>();
    const receive = async (bytes: AsyncIterable<Uint8Array>): Promise<void> => resolve(bytes);
    async function* echo(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.from(`${upgrade}:`);
        yield* await promise;
      } finally {
        isOver = true;
      }
    }
    return { status: 101, headers: { upgrade: upgrade ?? '' }, body: echo(), upgrade: { receive } };
  };
  const { socket, text } = await sent(...asking('SPDY/3.1', '', 'ahead'));
  await expect.poll(text).toBe('HTTP/1.1 101 Switching Protocols\r\nupgrade: SPDY/3.1\r\n\r\nSPDY/3.1:ahead\r\n');
  socket.write(' more');
  await expect.poll(text).toMatch(/ahead\r\n more$/);
  socket.destroy();
  await expect.poll(() => isOver).toBe(true);
});

test('a request that does not leave HTTP is answered, and its connection ends', async () => {
  handle = async () => ({ status: 200, headers: {}, body: 'plain' });
  const { socket, text } = await sent(...asking('websocket'), '');
  await once(socket, 'close');
  expect(text()).toMatch(/^HTTP\/1.1 200 [^]*plain$/);
});

test('of a protocol that is not known the request is one like any other, its body too', async () => {
  handle = async ({ upgrade, body }) => ({
    status: 200,
    headers: {},
    body: `${upgrade ?? 'none'} ${Buffer.from(await body()).toString()}`,
  });
  const { socket, text } = await sent(...asking('h2c', 'content-length: 2', '', 'hi'));
  await expect.poll(text).toMatch(/none hi$/);
  socket.destroy();
});

test('a body before the next protocol is refused', async () => {
  handle = async () => ({ status: 200, headers: {}, body: '' });
  const { socket, text } = await sent(...asking('websocket', 'content-length: 2', '', 'hi'));
  await once(socket, 'close');
  expect(text()).toMatch(/^HTTP\/1.1 400 /);
});

test.each([
  ['with another answer', 'GET /x HTTP/1.1', ''],
  ['because of a body', 'POST /x HTTP/1.1', 'content-length: 2\r\n'],
])('a client that is refused %s and does not go is disconnected', async (_, line, more) => {
  handle = async () => ({ status: 401, headers: {}, body: 'no' });
  const { socket, text } = await sent(`${line}\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n${more}`, '');
  socket.allowHalfOpen = true; // the client does not end when the server does
  await once(socket, 'end');
  expect(text()).toMatch(/^HTTP\/1.1 40[01] /);
  const gone = once(socket, 'error').catch((error: unknown) => error);
  const ping = setInterval(() => socket.write('still here'), 10);
  await gone;
  clearInterval(ping);
});

test('a client that sends without end and goes ends an answer that does not leave HTTP', async () => {
  const over = Promise.withResolvers<void>();
  async function* silent({ signal }: ApiRequest): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from('first');
      await once(signal, 'abort');
    } finally {
      over.resolve();
    }
  }
  handle = async (request) => ({ status: 200, headers: {}, body: silent(request) });
  const { socket, text } = await sent(...asking('websocket'), '');
  await expect.poll(text).toMatch(/first/);
  socket.end(Buffer.alloc(4 << 20)); // more than is read ahead of a reader
  await over.promise;
  socket.destroy();
});

test('a header of a backend passes as its bytes', async () => {
  async function* nothing(): AsyncGenerator<Uint8Array> {}
  const headers = { 'x-name': Buffer.from('é').toString('latin1') };
  handle = async () => ({ status: 101, headers, body: nothing(), upgrade: { receive: async () => {} } });
  const { socket, text } = await sent(...asking('websocket'), '');
  await expect.poll(text).toContain('x-name: é\r\n');
  socket.destroy();
});
