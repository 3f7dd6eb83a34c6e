import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { newIdentity } from '#local/data-directory.ts';
import { type Frame, frame, framesOf, headers, preface, TYPE } from '#test/clients/integration/security/frames.ts';
import { CANCEL, FLOODS, GET, stream, times } from '#test/clients/integration/security/http2-floods.ts';
import { HttpServer } from './server.ts';

const faults: unknown[] = [];
let server: HttpServer;
let handle: (request: ApiRequest) => Promise<ApiResponse>;
const sessions: ClientHttp2Session[] = [];

beforeEach(async () => {
  const { server: own, authority } = await newIdentity('token', new Date(0));
  handle = async () => ({ status: 200, headers: {}, body: 'answer' });
  server = await HttpServer.listen({
    host: '127.0.0.1',
    port: 0,
    tls: { certificate: own.certificate, key: own.key, clientCa: authority },
    gzip: false,
    handle: (request) => handle(request).catch(() => ({ status: 400, headers: {}, body: '' })),
    onFault: (error) => void faults.push(error),
  });
});
afterEach(async () => {
  for (const open of sessions.splice(0)) open.destroy();
  await server.close();
  expect(faults.splice(0)).toEqual([]);
});

/** Sends the bytes in one write. Resolves with the frames received until the server closes the connection. */
async function framesUntilClosed(bytes: Uint8Array): Promise<Frame[]> {
  const socket = connectTls({ port: server.port, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
  socket.on('error', () => undefined); // the server may close it during a write
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'secureConnect');
  socket.write(Buffer.concat([preface(), bytes]));
  await closed;
  return framesOf(Buffer.concat(chunks));
}

const goAways = (frames: readonly Frame[]): number[] =>
  frames.filter(({ type }) => type === TYPE.goAway).map(({ payload }) => payload.readUInt32BE(4));

describe('a client that floods its connection', () => {
  test.each(FLOODS)('gets GOAWAY for %s', async (_, code, bytes) => {
    handle = async (request) => ({ status: 200, headers: {}, body: await request.body() });
    expect(goAways(await framesUntilClosed(bytes())).at(-1)).toBe(code);
  });
});

async function session(): Promise<ClientHttp2Session> {
  const made = connect(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false });
  sessions.push(made);
  await once(made, 'remoteSettings');
  return made;
}

/** Blocks for longer than requests may work in one turn of the event loop. */
function work(): void {
  for (const end = performance.now() + 6; performance.now() < end; );
}

describe('many requests in one write', () => {
  test('do not all start before a request of another client', async () => {
    const begun: string[] = [];
    handle = async ({ path }) => {
      begun.push(path);
      if (path === '/') work();
      return { status: 200, headers: {}, body: '' };
    };
    const other = await session();
    const flood = framesUntilClosed(
      Buffer.concat([times(60, (i) => headers(stream(i), GET)), frame(TYPE.goAway, 0, Buffer.alloc(8))]),
    );
    while (begun.length === 0) await once(other.request({ ':path': '/before' }).resume(), 'end');
    begun.length = 0;
    await once(other.request({ ':path': '/other' }).resume(), 'end');
    expect(begun.indexOf('/other')).toBeLessThan(30);
    await flood;
  });

  test('do not start if they are reset', async () => {
    let count = 0;
    handle = async () => {
      count++;
      work();
      return { status: 200, headers: {}, body: '' };
    };
    const reset = (i: number) => Buffer.concat([headers(stream(i), GET), frame(TYPE.reset, stream(i), CANCEL)]);
    await framesUntilClosed(Buffer.concat([times(60, reset), frame(TYPE.goAway, 0, Buffer.alloc(8))]));
    expect(count).toBeLessThan(10);
  });
});

const MIB = 1024 * 1024;

describe('a well-behaved client', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  /** Whether the connection is still open after the server has checked it. */
  async function isKept(client: ClientHttp2Session): Promise<boolean> {
    vi.advanceTimersByTime(1000);
    await new Promise((done) => client.ping(done));
    return !client.destroyed && !client.closed;
  }

  test('keeps 250 streams open and sends pings', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    handle = async () => {
      await promise;
      return { status: 200, headers: {}, body: 'event' };
    };
    const client = await session();
    client.setMaxListeners(300);
    const streams = Array.from({ length: 250 }, (_, i) =>
      client.request({ ':path': `/watch/${i}`, 'x-long': 'x'.repeat(200) }),
    );
    for (let i = 0; i < 500; i++) await new Promise((done) => client.ping(done));
    expect(await isKept(client)).toBe(true);
    resolve();
    const bodies = await Promise.all(streams.map(async (one) => Buffer.concat(await one.toArray()).toString()));
    expect(new Set(bodies)).toEqual(new Set(['event']));
  });

  test('reads a long response in small windows', async () => {
    const part = Buffer.alloc(MIB);
    handle = async () => ({
      status: 200,
      headers: {},
      body: (async function* () {
        for (let i = 0; i < 32; i++) yield part;
      })(),
    });
    const client = await session();
    let length = 0;
    for await (const chunk of client.request({ ':path': '/' })) length += (chunk as Buffer).length;
    expect(length).toBe(32 * MIB);
    expect(await isKept(client)).toBe(true);
  });

  test.each<[string, ApiRequest['path']]>([
    ['that are read as a whole', '/body'],
    ['that are read in parts', '/stream'],
    ['that are not read', '/unread'],
  ])('sends bodies %s', async (_, path) => {
    handle = async (request) => {
      if (path === '/body') await request.body();
      if (path === '/stream') for await (const _part of request.stream?.() ?? []);
      return { status: 200, headers: {}, body: '' };
    };
    const client = await session();
    const length = path === '/unread' ? 40_000 : 2 * MIB;
    for (let i = 0; i < 8; i++) {
      const sent = client.request({ ':path': path, ':method': 'POST' });
      sent.on('error', () => undefined).end(Buffer.alloc(length));
      await once(sent.resume(), 'end');
    }
    expect(await isKept(client)).toBe(true);
  });
});
