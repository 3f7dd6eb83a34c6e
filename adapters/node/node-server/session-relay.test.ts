import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { TUNNEL_PROTOCOL } from '#lib/node/kubelet/server/streams.ts';
import { frame, OPCODE } from '#lib/server/endpoints/web-socket/frame.ts';
import { eventually } from '#test/support/eventually.ts';
import { SynStreams } from '#test/support/kubelet/spdy-frames.ts';
import { frames } from '#test/support/kubelet/web-socket.ts';
import { settled } from '#test/support/settled.ts';
import { maskedFrame } from '#test/support/web-socket.ts';
import { newNodeServer } from './node-server.ts';

/** More bytes than fit into the buffers between a runtime and a client that does not read. */
const OUTPUT = randomBytes(1_000_000);
const HASH = hashOf(OUTPUT);
const PINGS = 20;

const servers: Server[] = [];
const faults: string[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  faults.splice(0);
});

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A frame of SPDY: data of stream 3, or a control frame. */
function spdy(payload: Uint8Array, type?: number): Buffer {
  const head = type === undefined ? [0, 0, 0, 3, 0, 0, 0, 0] : [0x80, 3, 0, type, 0, 0, 0, 0];
  const bytes = Buffer.concat([Buffer.from(head), payload]);
  bytes.writeUIntBE(payload.length, 5, 3);
  return bytes;
}

interface Wire {
  readonly title: string;
  readonly session: 'bytes' | 'tunnel';
  /** Headers of the client's request. */
  readonly asks: string;
  /** The client's first bytes. With SPDY they open the error stream. */
  readonly opening: Buffer;
  ping(count: number): Buffer;
  input(text: string): Buffer;
  /** A frame of the runtime. */
  output(bytes: Uint8Array): Buffer;
  /** Parses the bytes that the client read: the payload of data, and the number of ping replies. */
  read(bytes: Buffer): Promise<{ output: Buffer; pongs: number; last: number }>;
}

const WEB_SOCKET = 'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const SPDY_PING = 6;
const spdyPing = (count: number): Buffer => spdy(Buffer.from([0, 0, 0, 2 * (count % 100) + 1]), SPDY_PING);

async function webSocketFrames(bytes: Buffer): Promise<{ opcode: number; payload: Buffer }[]> {
  async function* once_(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  return Array.fromAsync(frames(once_()));
}

function spdyRead(bytes: Buffer): { output: Buffer; pongs: number; last: number } {
  const output: Buffer[] = [];
  let pongs = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUIntBE(at + 5, 3);
    if (bytes.readUInt8(at) >= 0x80) pongs += 1;
    else output.push(bytes.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  return { output: Buffer.concat(output), pongs, last: 0 };
}

const ERROR_STREAM = new SynStreams().next(1, { streamtype: 'error' });

const SPDY: Wire = {
  title: 'SPDY',
  session: 'bytes',
  asks: 'Upgrade: SPDY/3.1\r\n',
  opening: ERROR_STREAM,
  ping: spdyPing,
  input: (text) => spdy(Buffer.from(text)),
  output: (bytes) => spdy(bytes),
  read: async (bytes) => spdyRead(bytes),
};

const WIRES: readonly Wire[] = [
  SPDY,
  {
    title: 'a WebSocket',
    session: 'bytes',
    asks: WEB_SOCKET,
    opening: maskedFrame(OPCODE.binary, 'input'),
    ping: (count) => maskedFrame(OPCODE.ping, String(count)),
    input: (text) => maskedFrame(OPCODE.binary, text),
    output: (bytes) => frame(OPCODE.binary, bytes),
    async read(bytes) {
      const all = await webSocketFrames(bytes);
      return {
        output: Buffer.concat(all.filter(({ opcode }) => opcode === OPCODE.binary).map(({ payload }) => payload)),
        pongs: all.filter(({ opcode }) => opcode === OPCODE.pong).length,
        last: all.findLast(({ opcode }) => opcode === OPCODE.close)?.payload.readUInt16BE() ?? 0,
      };
    },
  },
  {
    ...SPDY,
    title: 'SPDY inside a WebSocket',
    session: 'tunnel',
    asks: `${WEB_SOCKET}Sec-WebSocket-Protocol: ${TUNNEL_PROTOCOL}\r\n`,
    opening: maskedFrame(OPCODE.binary, ERROR_STREAM),
    ping: (count) => maskedFrame(OPCODE.binary, spdyPing(count)),
    input: (text) => maskedFrame(OPCODE.binary, spdy(Buffer.from(text))),
    async read(bytes) {
      const all = await webSocketFrames(bytes);
      const inner = all.filter(({ opcode }) => opcode === OPCODE.binary).map(({ payload }) => payload);
      const last = all.findLast(({ opcode }) => opcode === OPCODE.close)?.payload.readUInt16BE() ?? 0;
      return { ...spdyRead(Buffer.concat(inner)), last };
    },
  },
];

interface Session {
  /** The client's end. It is not read by default. */
  readonly client: Duplex;
  /** The runtime's end. */
  readonly runtime: Socket;
}

async function opened({ asks, session }: Wire): Promise<Session> {
  const taken = Promise.withResolvers<Socket>();
  const server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', () => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n\r\n', () => taken.resolve(socket));
      });
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const [near, client] = duplexPair();
  newNodeServer({
    handle: async () => ({ session, url: `http://127.0.0.1:${port}/` }),
    onFault: (error) => void faults.push(String(error)),
  }).accept(near, { verb: 'exec', podUID: 'u', container: 'c', user: 'jane' });
  client.write(`GET /exec/n/p/c HTTP/1.1\r\nHost: node\r\nConnection: Upgrade\r\n${asks}\r\n`);
  await once(client, 'readable');
  return { client, runtime: await taken.promise };
}

/** Writes the whole output as consecutive frames, and closes the socket in the same way as Go programs. */
async function writeAndClose({ output }: Wire, runtime: Socket): Promise<void> {
  for (let at = 0; at < OUTPUT.length; at += 32_768) runtime.write(output(OUTPUT.subarray(at, at + 32_768)));
  const closed = once(runtime, 'close');
  runtime.destroySoon();
  await closed;
}

/** Reads up to the end, and removes the head of the response. */
async function rest(client: Duplex): Promise<Buffer> {
  const chunks: Buffer[] = [];
  client.once('end', () => client.end());
  for await (const chunk of client) chunks.push(chunk as Buffer);
  const all = Buffer.concat(chunks);
  return all.subarray(all.indexOf('\r\n\r\n') + 4);
}

describe.each(WIRES)('a session over $title', (wire) => {
  test('sends a client that pings and reads late everything that the runtime wrote before it closed', async () => {
    const { client, runtime } = await opened(wire);
    for (let i = 0; i < PINGS; i++) client.write(wire.ping(i));
    const closing = writeAndClose(wire, runtime);
    const chunks: Buffer[] = [];
    while (!runtime.closed) {
      client.write(wire.ping(1));
      await settled();
      const chunk: unknown = client.read(1000); // the kernel may not hold all of it
      if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    }
    await closing;
    for (let i = 0; i < PINGS; i++) {
      client.write(wire.ping(i));
      await settled();
    }
    const late = await restAfter(chunks, client);
    const { output, pongs } = await wire.read(late);
    expect([output.length, hashOf(output)]).toEqual([OUTPUT.length, HASH]);
    expect(pongs).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });

  test('drops input, but no output, for a runtime that has closed', async () => {
    const { client, runtime } = await opened(wire);
    const closing = writeAndClose(wire, runtime);
    const chunks: Buffer[] = [];
    while (!runtime.closed) {
      await settled();
      const chunk: unknown = client.read(1000);
      if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    }
    await closing;
    for (let i = 0; i < PINGS; i++) {
      client.write(wire.input('late'));
      await settled();
    }
    const { output } = await wire.read(await restAfter(chunks, client));
    expect([output.length, hashOf(output)]).toEqual([OUTPUT.length, HASH]);
    expect(faults).toEqual([]);
  });

  test('passes input to the runtime from a client that does not read', async () => {
    const { client, runtime } = await opened(wire);
    runtime.write(Buffer.concat(Array.from({ length: 500 }, () => wire.output(OUTPUT.subarray(0, 60_000)))));
    await eventually(() => client.readableLength >= client.readableHighWaterMark);
    const input = wire.input('interrupt');
    client.write(input);
    const expected = wire.session === 'tunnel' ? SPDY.input('interrupt') : input;
    let read = Buffer.alloc(0);
    for await (const chunk of runtime) if ((read = Buffer.concat([read, chunk as Buffer])).includes(expected)) break;
    client.destroy();
  });

  test('reports a runtime that breaks off', async () => {
    const { client, runtime } = await opened(wire);
    const read = once(runtime, 'data');
    client.write(wire.opening);
    await read;
    runtime.write(wire.output(Buffer.from('half')), () => runtime.resetAndDestroy());
    const { output, last } = await wire.read(await rest(client));
    expect(String(output)).toMatch(
      wire.asks === WEB_SOCKET ? /^half$/ : /^half.*the container runtime broke the session off/,
    );
    expect(last).toBe(wire === SPDY ? 0 : 1011);
    await eventually(() =>
      expect(faults).toEqual([expect.stringContaining('the container runtime broke the session off')]),
    );
  });
});

/** Reads up to the end, including the bytes read before, and removes the head of the response. */
async function restAfter(before: readonly Buffer[], client: Duplex): Promise<Buffer> {
  client.unshift(Buffer.concat(before));
  return rest(client);
}

test("replies to a ping after the runtime's current frame", async () => {
  const wire = WIRES[1] ?? SPDY;
  const { client, runtime } = await opened(wire);
  const whole = wire.output(Buffer.from('a frame in two parts'));
  const head = client.readableLength;
  runtime.write(whole.subarray(0, 10));
  await eventually(() => expect(client.readableLength).toBe(head + 10));
  client.write(wire.ping(7));
  await settled();
  runtime.end(whole.subarray(10));
  const all = await webSocketFrames(await rest(client));
  expect(all.map(({ opcode, payload }) => [opcode, String(payload)])).toEqual([
    [OPCODE.binary, 'a frame in two parts'],
    [OPCODE.pong, '7'],
  ]);
});
