import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { connect as tlsConnect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { newAuthority } from '#local/certs.ts';
import { eventually } from '#test/support/eventually.ts';
import { settled } from '#test/support/settled.ts';
import { HttpServer, type HttpServerOptions, type Patience } from './server.ts';

/** Time in ms that responses wait for a client that does not read. */
const READ_TIMEOUT = 200;
const PATIENCE: Patience = {
  handshakeTimeout: 32_000,
  headersTimeout: 32_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5000,
  readTimeout: READ_TIMEOUT,
  idleTimeout: 90_000,
};

let server: HttpServer;
let handle: (request: ApiRequest) => Promise<ApiResponse>;
const faults: unknown[] = [];
const listen = (more: Partial<HttpServerOptions> = {}): Promise<HttpServer> => {
  const onFault = (error: unknown): void => void faults.push(error);
  const options = { host: '127.0.0.1', port: 0, gzip: true, patience: PATIENCE, onFault };
  return HttpServer.listen({ ...options, handle: (request) => handle(request), ...more });
};
beforeAll(async () => {
  server = await listen();
});
afterAll(async () => {
  await server.close();
  expect(faults).toEqual([]);
});

/** A connection that has sent these lines, and the text received on it. */
async function sent(...lines: string[]): Promise<{ socket: Socket; text(): string }> {
  return sentTo(server, ...lines);
}

async function sentTo({ port }: HttpServer, ...lines: string[]): Promise<{ socket: Socket; text(): string }> {
  const socket = connect({ host: '127.0.0.1', port });
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

test('passes bytes both ways, those sent ahead first, and each side ends the other', async () => {
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
  await eventually(() =>
    expect(text()).toBe('HTTP/1.1 101 Switching Protocols\r\nupgrade: SPDY/3.1\r\n\r\nSPDY/3.1:ahead\r\n'),
  );
  socket.write(' more');
  await eventually(() => expect(text()).toMatch(/ahead\r\n more$/));
  socket.destroy();
  await eventually(() => expect(isOver).toBe(true));
});

test('responds to a request that stays in HTTP and ends its connection', async () => {
  handle = async () => ({ status: 200, headers: {}, body: 'plain' });
  const { socket, text } = await sent(...asking('websocket'), '');
  await once(socket, 'close');
  expect(text()).toMatch(/^HTTP\/1.1 200 [^]*plain$/);
});

test('treats a request for an unknown protocol as a normal request, including its body', async () => {
  handle = async ({ upgrade, body }) => ({
    status: 200,
    headers: {},
    body: `${upgrade ?? 'none'} ${Buffer.from(await body()).toString()}`,
  });
  const { socket, text } = await sent(...asking('h2c', 'content-length: 2', '', 'hi'));
  await eventually(() => expect(text()).toMatch(/none hi$/));
  socket.destroy();
});

test('rejects a body before the next protocol', async () => {
  handle = async () => ({ status: 200, headers: {}, body: '' });
  const { socket, text } = await sent(...asking('websocket', 'content-length: 2', '', 'hi'));
  await once(socket, 'close');
  expect(text()).toMatch(/^HTTP\/1.1 400 /);
});

test.each([
  ['with another answer', 'GET /x HTTP/1.1', ''],
  ['because of a body', 'POST /x HTTP/1.1', 'content-length: 2\r\n'],
])('disconnects a client that stays connected after a refusal %s', async (_, line, more) => {
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

test('ends a response that stays in HTTP if its client sends endlessly and then disconnects', async () => {
  const over = Promise.withResolvers<void>();
  async function* silent(request: ApiRequest): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from('first');
      await once(request.signal(), 'abort');
    } finally {
      over.resolve();
    }
  }
  handle = async (request) => ({ status: 200, headers: {}, body: silent(request) });
  const { socket, text } = await sent(...asking('websocket'), '');
  await eventually(() => expect(text()).toMatch(/first/));
  socket.end(Buffer.alloc(4 << 20)); // more than is buffered ahead of a reader
  await over.promise;
  socket.destroy();
});

test("passes a backend's header as its bytes", async () => {
  async function* nothing(): AsyncGenerator<Uint8Array> {}
  const headers = { 'x-name': Buffer.from('é').toString('latin1') };
  handle = async () => ({ status: 101, headers, body: nothing(), upgrade: { receive: async () => {} } });
  const { socket, text } = await sent(...asking('websocket'), '');
  await eventually(() => expect(text()).toContain('x-name: é\r\n'));
  socket.destroy();
});

test('a server without upgrades handles an upgrade request like any other', async () => {
  await using own = { server: await listen({ upgrades: false }), [Symbol.asyncDispose]: () => own.server.close() };
  handle = async ({ upgrade }) => ({ status: 200, headers: {}, body: `no ${String(upgrade)}` });
  const { socket, text } = await sentTo(own.server, ...asking('websocket'), '');
  await eventually(() => expect(text()).toMatch(/^HTTP\/1.1 200 [^]*no undefined$/));
  socket.destroy();
});

describe.each(['plain', 'TLS'])('a stream over a %s connection', (wire) => {
  let own: HttpServer;
  let reached: { readonly host: string; readonly port: number; readonly ca: string };
  beforeAll(async () => {
    const authority = await newAuthority(new Date());
    const identity = await authority.issue({ name: 'server' }, ['127.0.0.1']);
    own = await listen(wire === 'TLS' ? { tls: { ...identity, clientCa: authority.certificate } } : {});
    reached = { host: '127.0.0.1', port: own.port, ca: authority.certificate };
  });
  afterAll(() => own.close());

  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield Buffer.alloc(1 << 16);
  }

  async function opened(): Promise<Socket> {
    const socket = wire === 'TLS' ? tlsConnect(reached) : connect(reached);
    await once(socket, wire === 'TLS' ? 'secureConnect' : 'connect');
    socket.on('error', () => {}).write([...asking('websocket'), ''].join('\r\n'));
    return socket;
  }

  /**
   * Responds with these chunks, as part of a session unless the server owns the response. Also reports whether the response ends after the
   * client disconnects.
   */
  function serves(chunks: (gone: Promise<void>) => AsyncGenerator<Uint8Array>, isOwn = true): { isOver(): boolean } {
    let isSent = false;
    let isGone = false;
    const gone = Promise.withResolvers<void>();
    handle = async () => ({
      status: 101,
      headers: {},
      body: (async function* () {
        try {
          yield* chunks(gone.promise);
        } finally {
          isSent = true;
        }
      })(),
      upgrade: {
        ...(isOwn && { isOwn }),
        async receive(bytes) {
          await Array.fromAsync(bytes).catch(() => {});
          isGone = true;
          gone.resolve();
        },
      },
    });
    return { isOver: () => isSent && isGone };
  }

  test('ends if its client reads nothing', async () => {
    const { isOver } = serves(endless);
    const socket = await opened();
    socket.pause();
    await eventually(() => expect(isOver()).toBe(true));
    socket.destroy();
  });

  test('ends if its client does not read its last frame', async () => {
    const { isOver } = serves(async function* () {
      yield Buffer.alloc(64 << 20);
    });
    const socket = await opened();
    socket.pause();
    await eventually(() => expect(isOver()).toBe(true));
    socket.destroy();
  });

  test('stays open while it is silent, even beyond the time-out of an unread stream', async () => {
    const { promise: speak, resolve } = Promise.withResolvers<void>();
    serves(async function* () {
      yield Buffer.from('first');
      await speak;
      yield Buffer.from('second');
    });
    const socket = await opened();
    let text = '';
    socket.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    await eventually(() => expect(text).toMatch(/first$/));
    const unread = serves(endless);
    const other = await opened();
    other.pause();
    await eventually(() => expect(unread.isOver()).toBe(true));
    other.destroy();
    resolve();
    await once(socket, 'end');
    expect(text).toMatch(/firstsecond$/);
    socket.destroy();
  });

  test("waits longer for a session's client that reads nothing than for another", async () => {
    const session = serves(endless, false);
    const socket = await opened();
    await once(socket, 'data');
    socket.pause();
    const silent = serves(endless);
    const other = await opened();
    other.pause();
    await eventually(() => expect(silent.isOver()).toBe(true));
    other.destroy();
    expect(session.isOver()).toBe(false);
    socket.destroy();
    await eventually(() => expect(session.isOver()).toBe(true));
  });

  test('stays open after a session until a client that sends and reads late has read everything', async () => {
    const size = 1_000_000;
    const { isOver } = serves(async function* () {
      for (let at = 0; at < size; at += 50_000) yield Buffer.alloc(50_000, 'x');
    }, false);
    const socket = await opened();
    socket.pause();
    for (let i = 0; i < 100; i++) {
      socket.write('ping');
      await new Promise((resolve) => setTimeout(resolve, 2)); // the kernel accepts the bytes
    }
    expect(isOver()).toBe(false);
    const bytes = await buffer(socket);
    expect(String(bytes).match(/x/g)).toHaveLength(size);
    await eventually(() => expect(isOver()).toBe(true));
  });

  test("is cut off if a session's backend breaks off, and reports the fault", async () => {
    serves(async function* () {
      yield Buffer.from('first');
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    }, false);
    const socket = await opened();
    await once(socket.resume(), 'close');
    await eventually(() =>
      expect(faults.splice(0).map(String)).toEqual(['Error: the backend broke a stream off: read ECONNRESET']),
    );
  });

  test.each([true, false])('ends if its client disconnects before everything is written (own: %s)', async (isOwn) => {
    const { isOver } = serves(async function* (gone) {
      yield Buffer.from('first');
      await gone;
      for (let i = 0; i < 3; i++) {
        yield Buffer.from('late');
        await settled();
      }
    }, isOwn);
    const socket = await opened();
    await once(socket, 'data');
    socket.end();
    await eventually(() => expect(isOver()).toBe(true));
    socket.destroy();
  });
});
