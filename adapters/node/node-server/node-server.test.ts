import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { type NodeRequest, type NodeResponse, textAnswer } from '#lib/node/kubelet/server/node-request.ts';
import { OPCODE } from '#lib/server/endpoints/web-socket/frame.ts';
import { acceptOf } from '#lib/server/endpoints/web-socket/handshake.ts';
import { eventually } from '#test/support/eventually.ts';
import { maskedFrame } from '#test/support/web-socket.ts';
import { hostLog } from './host-logs.ts';
import { newNodeServer } from './node-server.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function portOf(server: Server): Promise<number> {
  open.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address() as AddressInfo;
  return address.port;
}

const purpose = { verb: 'proxy', podUID: '', container: '', user: 'jane' } as const;
const faults: unknown[] = [];
const serving = (handle: (request: NodeRequest) => NodeResponse | Promise<NodeResponse>): Promise<number> => {
  const options = {
    handle: async (request: NodeRequest) => handle(request),
    onFault: (error: unknown) => void faults.push(error),
  };
  const server = newNodeServer(options);
  return portOf(createServer((socket) => server.accept(socket, purpose)));
};

/** A runtime that responds to its first bytes with `answer`, and exposes all bytes that it has read. */
async function aRuntime(answer: string): Promise<{ url: string; text: () => string; socket: Promise<Socket> }> {
  let text = '';
  const taken = Promise.withResolvers<Socket>();
  const port = await portOf(
    createServer((socket) => {
      taken.resolve(socket);
      socket.on('error', () => undefined).once('data', () => socket.write(answer, 'latin1'));
      socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    }),
  );
  return { url: `http://127.0.0.1:${port}/exec/token?a=b`, text: () => text, socket: taken.promise };
}

/** A client that sends a text, and the bytes that it has read. */
async function aClient(port: number, text: string): Promise<{ socket: Socket; read: () => string }> {
  let read = '';
  const socket = connect(port, '127.0.0.1');
  open.push({ close: () => socket.destroy() });
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => (read += chunk.toString('latin1')));
  await once(socket, 'connect');
  socket.write(text, 'latin1');
  return { socket, read: () => read };
}

/** The number of bytes that a stream accepts before its reader has read any. */
const LATE = 30_000;
const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: SPDY/3.1\r\nConnection: Upgrade\r\n\r\n';
const UPGRADE =
  'POST /exec/n/p/c?x HTTP/1.1\r\nHost: node\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-A: 1\r\n\r\n';

/** A data frame of SPDY. */
const data = (text: string): string =>
  Buffer.concat([Buffer.from([0, 0, 0, 1, 0, 0, 0, text.length]), Buffer.from(text)]).toString('latin1');

test('passes path, query and headers of a request', async () => {
  let seen: NodeRequest | undefined;
  const port = await serving((request) => {
    seen = request;
    return textAnswer(418, 'tea');
  });
  const answer = await fetch(`http://127.0.0.1:${port}/a%20b/?c=d%20e`, { headers: { 'x-a': '1' } });
  expect([answer.status, await answer.text()]).toEqual([418, 'tea']);
  expect([
    seen?.method,
    seen?.path,
    seen?.query.get('c'),
    seen?.headers['x-a'],
    seen?.isUpgrade,
    seen?.purpose,
  ]).toEqual(['GET', '/a%20b/', 'd e', '1', false, purpose]);
});

test('streams a body as it is generated, and notifies its generator of a disconnected client', async () => {
  const more = Promise.withResolvers<void>();
  let signal: AbortSignal | undefined;
  const port = await serving((request) => {
    ({ signal } = request);
    return { status: 200, headers: {}, body: lines() };
  });
  async function* lines(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one');
    await more.promise;
    yield Buffer.from('two');
  }
  const gone = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: gone.signal });
  const reader = answer.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('one');
  gone.abort();
  await eventually(() => expect(signal?.aborted).toBe(true));
  more.resolve();
});

test("reports a handler's fault to the client and the log", async () => {
  const port = await serving(() => {
    throw new Error('broken');
  });
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect([answer.status, await answer.text()]).toEqual([500, 'broken']);
  expect(faults.splice(0)).toHaveLength(1);
});

describe('a session with the runtime', () => {
  test('passes bytes both ways, to the path of the runtime', async () => {
    const runtime = await aRuntime(`${SWITCHED}${data('hello')}`);
    const port = await serving(() => ({ session: 'bytes', url: runtime.url }));
    const client = await aClient(port, `${UPGRADE}${data('early')}`);
    await eventually(() => expect(client.read()).toBe(`${SWITCHED}${data('hello')}`));
    client.socket.write(data('late'), 'latin1');
    await eventually(() => expect(runtime.text()).toContain(`\r\n\r\n${data('early')}${data('late')}`));
    expect(runtime.text()).toMatch(
      /^POST \/exec\/token\?a=b HTTP\/1.1\r\nHost: 127.0.0.1:\d+\r\nConnection: Upgrade\r\nUpgrade: SPDY\/3.1\r\nX-A: 1\r\n\r\n/,
    );
  });

  test("does not pass its client's token to the runtime", async () => {
    const runtime = await aRuntime(SWITCHED);
    const port = await serving(() => ({ session: 'bytes', url: runtime.url }));
    const shown = 'base64url.bearer.authorization.k8s.io.c2VjcmV0';
    const headers = `Authorization: Bearer secret\r\nSec-WebSocket-Protocol: ${shown}, v4.channel.k8s.io`;
    const client = await aClient(port, UPGRADE.replace('X-A: 1', headers));
    await eventually(() => expect(client.read()).toBe(SWITCHED));
    expect(runtime.text()).toMatch(/Upgrade: SPDY\/3.1\r\nSec-WebSocket-Protocol: v4.channel.k8s.io\r\n\r\n$/);
  });

  test('ends for the client when the runtime ends', async () => {
    const runtime = await aRuntime(SWITCHED);
    const port = await serving(() => ({ session: 'bytes', url: runtime.url }));
    const first = await aClient(port, UPGRADE);
    await eventually(() => expect(first.read()).toBe(SWITCHED));
    const closed = once(first.socket, 'close');
    (await runtime.socket).end(data('bye'));
    await closed;
    expect(first.read()).toBe(`${SWITCHED}${data('bye')}`);
  });

  test('sends a late reader everything that the runtime wrote before it closed', async () => {
    const runtime = await aRuntime(SWITCHED);
    const [near, far] = duplexPair();
    newNodeServer({
      handle: async () => ({ session: 'bytes', url: runtime.url }),
      onFault: (error) => void faults.push(error),
    }).accept(near, purpose);
    far.write(UPGRADE);
    await once(far, 'readable');
    const peer = await runtime.socket;
    const closed = once(peer, 'close');
    peer.end(data('x'.repeat(100)).repeat(LATE / 100));
    await closed;
    far.end();
    const bytes = await buffer(far);
    expect(bytes.toString().match(/x/g)).toHaveLength(LATE);
  });

  test('ends at the runtime when the client breaks off', async () => {
    const runtime = await aRuntime(SWITCHED);
    const port = await serving(() => ({ session: 'bytes', url: runtime.url }));
    const client = await aClient(port, UPGRADE);
    await eventually(() => expect(client.read()).toBe(SWITCHED));
    const closed = once(await runtime.socket, 'close');
    client.socket.destroy();
    await closed;
  });

  test('gets a normal response without a runtime', async () => {
    const server = createServer();
    const dead = await portOf(server);
    server.close();
    await once(server, 'close');
    const port = await serving(() => ({ session: 'bytes', url: `http://127.0.0.1:${dead}/` }));
    const client = await aClient(port, UPGRADE);
    await once(client.socket, 'close');
    expect(client.read()).toMatch(/^HTTP\/1.1 500 Internal Server Error\r\n[^]*ECONNREFUSED/);
  });

  test('gets a normal response if refused', async () => {
    const port = await serving(() => textAnswer(404, 'pod does not exist'));
    const client = await aClient(port, UPGRADE);
    await once(client.socket, 'close');
    expect(client.read()).toMatch(/^HTTP\/1.1 404 Not Found\r\n[^]*\r\n\r\npod does not exist$/);
  });

  test('uses the fourth protocol version with the runtime if the client uses the fifth', async () => {
    const agreed = SWITCHED.replace('\r\n\r\n', '\r\nSec-WebSocket-Protocol: v4.channel.k8s.io\r\n\r\n');
    const runtime = await aRuntime(`${agreed}\x82\x11v4.channel.k8s.io`);
    const port = await serving(() => ({ session: 'v4', url: runtime.url }));
    const asked = UPGRADE.replace('X-A: 1', 'Sec-WebSocket-Protocol: v5.channel.k8s.io').replace(
      'SPDY/3.1',
      'websocket',
    );
    const client = await aClient(port, asked);
    await eventually(() => expect(client.read()).toBe(`${agreed.replace('v4', 'v5')}\x82\x11v4.channel.k8s.io`));
    expect(runtime.text()).toContain('\r\nSec-WebSocket-Protocol: v4.channel.k8s.io\r\n');
  });
});

describe('a tunnel of SPDY', () => {
  const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
  const TUNNEL = `GET /portForward/n/p HTTP/1.1\r\nHost: node\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${KEY}\r\nSec-WebSocket-Protocol: SPDY/3.1+portforward.k8s.io\r\n\r\n`;

  test('unwraps SPDY from the WebSocket and wraps the responses', async () => {
    const runtime = await aRuntime(`${SWITCHED}${data('spdy')}`);
    const port = await serving(() => ({ session: 'tunnel', url: runtime.url }));
    const client = await aClient(port, TUNNEL);
    await eventually(() => expect(client.read()).toContain(`\x82\x0c${data('spdy')}`));
    expect(client.read()).toContain(`Sec-WebSocket-Accept: ${acceptOf(KEY)}\r\n`);
    client.socket.write(maskedFrame(OPCODE.binary, Buffer.from(data('abc'), 'latin1')));
    await eventually(() => expect(runtime.text()).toContain(`\r\n\r\n${data('abc')}`));
    expect(runtime.text()).toMatch(
      /^POST \/exec\/token\?a=b HTTP\/1.1\r\n[^]*X-Stream-Protocol-Version: portforward.k8s.io\r\n/,
    );
    const closed = once(client.socket, 'close');
    (await runtime.socket).end();
    await closed;
  });

  test('gets a normal response if the runtime refuses', async () => {
    const runtime = await aRuntime('HTTP/1.1 404 Not Found\r\n\r\n');
    const port = await serving(() => ({ session: 'tunnel', url: runtime.url }));
    const client = await aClient(port, TUNNEL);
    await once(client.socket, 'close');
    expect(client.read()).toMatch(/^HTTP\/1.1 500 [^]*invalid upgrade response: status code 404\n$/);
  });
});

test('closes a body that HEAD does not send', async () => {
  let closed = false;
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from('text');
    } finally {
      closed = true;
    }
  }
  const port = await serving(() => ({ status: 200, headers: {}, body: body() }));
  const { read } = await aClient(port, 'HEAD / HTTP/1.1\r\nHost: node\r\n\r\n');
  await eventually(() => expect(closed).toBe(true));
  await eventually(() => expect(read()).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*\r\n\r\n$/));
});

test('serves logs of the machine and nothing outside their folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'davit-host-logs-'));
  open.push({ close: () => rm(folder, { recursive: true }) });
  const root = join(folder, 'log');
  await mkdir(join(root, 'pods'), { recursive: true });
  await writeFile(join(root, 'a<b'), 'text');
  await writeFile(join(folder, 'secret'), 'secret');
  await symlink(join(folder, 'secret'), join(root, 'link'));
  const shown = async (path: string): Promise<string> => {
    const { status, body } = await hostLog(root, path);
    const whole = typeof body === 'string' || body instanceof Uint8Array;
    return `${status} ${whole ? body.toString() : Buffer.concat(await Array.fromAsync(body)).toString()}`;
  };
  expect(await shown('a<b')).toBe('200 text');
  expect(await shown('')).toContain('<a href="a%3Cb">a&lt;b</a>\n<a href="link">link</a>\n<a href="pods/">pods/</a>\n');
  for (const path of ['link', '../secret', 'pods/../../secret', 'none', '\0'])
    expect(await shown(path)).toMatch(/^404 /);
});
