import { beforeEach, describe, expect, test } from 'vitest';
import { EventClock } from '#test/support/event-clock.ts';
import type { ByteStream } from './byte-stream.ts';
import { type Frame, MAX_MESSAGE, WINDOW } from './frame.ts';
import { decodeFrame, encodeFrame } from './frame-codec.ts';
import type { MessageTransport } from './message-transport.ts';
import { NodeChannels, type TakeMessage } from './node-channels.ts';
import { numbers } from './testing/ends.ts';

const NEVER = new AbortController().signal;
const random = numbers(1);

let clock: EventClock;
let server: NodeChannels;
beforeEach(() => {
  clock = new EventClock();
  server = new NodeChannels({
    clock,
    randomId: () => Math.floor(random() * 2 ** 48),
    randomName: () => `server-${random()}`,
  });
});

const pass = (milliseconds: number): Promise<void> => clock.runUntil(clock.sleep(milliseconds));

/** A connection of a misbehaving node. */
interface Rogue {
  say(frame: Frame): void;
  take: TakeMessage;
  /** The frames of the server. */
  readonly heard: Frame[];
  /** Reads the pending frames and keeps reading. */
  read(): void;
  /** Returns the reason with which the server closed the connection. */
  closed(): string | undefined;
}

function aRogue(node: string, { session = 's', reads = true } = {}): Rogue {
  const heard: Frame[] = [];
  let reason: string | undefined;
  const { promise: reading, resolve: read } = Promise.withResolvers<void>();
  if (reads) read();
  const transport: MessageTransport = {
    parallel: 1,
    async send(message) {
      heard.push(decodeFrame(message));
      await reading;
    },
    close: (why) => void (reason ??= why),
  };
  const take = server.connect(node, transport);
  const say = (frame: Frame): void => take(encodeFrame(frame));
  const instance = { key: 'k', machineId: node, bootId: 'b' };
  say({ type: 'hello', body: { version: 1, features: [], session, instance } });
  return { say, take, heard, read, closed: () => reason };
}

const purpose = { verb: 'exec', podUID: 'u', container: 'c', user: 'jane' } as const;

/** Opens a stream to a node, which answers with its first window. */
async function opened(node: string, rogue: Rogue): Promise<{ readonly stream: ByteStream; readonly id: number }> {
  const opening = server.open({ node, purpose }, { host: node, port: 10_250 }, NEVER);
  if (opening === undefined) throw new Error(`no channel to ${node}`);
  await pass(1);
  const open = rogue.heard.findLast(({ type }) => type === 'open');
  if (open?.type !== 'open') throw new Error('nothing was opened');
  rogue.say({ type: 'window', stream: open.stream, received: 0, limit: WINDOW });
  return { stream: await clock.runUntil(opening), id: open.stream };
}

describe("a node that sends frames of another node's stream", () => {
  test('adds no byte to the stream, and does not end it', async () => {
    const [victim, rogue] = [aRogue('n1'), aRogue('n2')];
    await pass(1);
    const { stream, id } = await opened('n1', victim);
    rogue.say({ type: 'data', stream: id, offset: 0, bytes: Buffer.from('forged'), end: true });
    rogue.say({ type: 'close', stream: id, reason: 'forged', answer: false });
    rogue.say({ type: 'window', stream: id, received: WINDOW, limit: 2 ** 40 });
    victim.say({ type: 'data', stream: id, offset: 0, bytes: Buffer.from('true'), end: true });
    expect(Buffer.concat(await clock.runUntil(Array.fromAsync(stream.incoming))).toString()).toBe('true');
    expect(rogue.heard.filter(({ type }) => type !== 'hello')).toEqual([
      { type: 'close', stream: id, reason: 'unknown stream', answer: true },
      { type: 'close', stream: id, reason: 'forged', answer: true },
      { type: 'close', stream: id, reason: 'unknown stream', answer: true },
    ]);
  });

  test('does not see the requests to the other node', async () => {
    const [victim, rogue] = [aRogue('n1'), aRogue('n2')];
    await pass(1);
    await opened('n1', victim);
    expect(rogue.heard.map(({ type }) => type)).toEqual(['hello']);
  });
});

describe('a node that opens streams to the server', () => {
  test('is rejected each time, even with a grant signed for it', async () => {
    const rogue = aRogue('n1');
    await pass(1);
    const { id } = await opened('n1', rogue);
    const grant = rogue.heard.find(({ type }) => type === 'open');
    if (grant?.type !== 'open') throw new Error('nothing was opened');
    rogue.say({ type: 'open', stream: id + 1, body: grant.body });
    await pass(1);
    expect(rogue.heard.at(-1)).toEqual({
      type: 'close',
      stream: id + 1,
      reason: 'the server accepts no streams',
      answer: false,
    });
  });

  test('keeps at most a thousand rejections, and none for long', async () => {
    const rogue = aRogue('n1', { reads: false });
    await pass(1);
    for (let stream = 0; stream < 20_000; stream++) rogue.say({ type: 'open', stream, body: 'x'.repeat(100) });
    rogue.read();
    await pass(1);
    expect(rogue.heard.filter(({ type }) => type === 'close').length).toBeLessThanOrEqual(2000);
    await pass(60_000);
    rogue.say({ type: 'open', stream: 20_000, body: null });
    await pass(1);
    expect(rogue.heard.at(-1)).toMatchObject({ stream: 20_000, reason: 'the server accepts no streams' });
  });
});

test.each<[string, Uint8Array]>([
  ['is too long', Buffer.alloc(MAX_MESSAGE + 1, 3)],
  ['is cut off', Uint8Array.of(3, 0, 0)],
  ['is empty', new Uint8Array()],
  ['opens a stream with invalid JSON', Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 0, 1]), Buffer.from('{"a":')])],
  [
    'opens with JSON that is too deep',
    Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 0, 1]), Buffer.from('['.repeat(30_000))]),
  ],
])('loses only its own connection with a message that %s', async (_, message) => {
  const rogue = aRogue('n1');
  await pass(1);
  expect(() => rogue.take(message)).toThrow();
  expect(server.find('n1')?.isOver).toBe(false);
});

test('gets at most a thousand pongs for a flood of pings that it does not read', async () => {
  const rogue = aRogue('n1', { reads: false });
  await pass(1);
  for (let nonce = 0; nonce < 20_000; nonce++) rogue.say({ type: 'ping', nonce });
  rogue.read();
  await pass(1);
  expect(rogue.heard.filter(({ type }) => type === 'pong').length).toBeLessThanOrEqual(1001);
});

test('can send no more than a window of unsolicited data, whatever the offset', async () => {
  const rogue = aRogue('n1');
  await pass(1);
  const { stream, id } = await opened('n1', rogue);
  const bytes = Buffer.alloc(16 * 1024, 1);
  for (let piece = 0; piece < 5000; piece++)
    rogue.say({ type: 'data', stream: id, offset: 1 + piece * 97, bytes, end: false });
  for (const offset of [2 ** 48 - 1, WINDOW, WINDOW - 1])
    rogue.say({ type: 'data', stream: id, offset, bytes, end: true });
  rogue.say({ type: 'data', stream: id, offset: 0, bytes: bytes.subarray(0, 1), end: false });
  stream.destroy();
  let length = 0;
  const reading = async (): Promise<void> => {
    for await (const chunk of stream.incoming) length += chunk.length;
  };
  await expect(reading()).rejects.toThrow('destroyed');
  expect(length).toBeGreaterThan(bytes.length);
  expect(length).toBeLessThanOrEqual(WINDOW);
});

test('keeps one of hundreds of sessions, and only the last connection', async () => {
  const rogues = Array.from({ length: 500 }, (_, i) => aRogue('n1', { session: `s${i}` }));
  await pass(60_000);
  expect(rogues.filter((rogue) => rogue.closed() === undefined)).toHaveLength(1);
  expect(server.find('n1')?.isConnected).toBe(true);
});

test('breaks only its own stream by acknowledging data that was never sent', async () => {
  const [rogue, other] = [aRogue('n1'), aRogue('n2')];
  await pass(1);
  const { stream, id } = await opened('n1', rogue);
  const { stream: good, id: goodId } = await opened('n2', other);
  rogue.say({ type: 'window', stream: id, received: 2 ** 47, limit: 2 ** 48 - 1 });
  const written = stream.write(Buffer.alloc(4 * WINDOW));
  await pass(1);
  const sent = rogue.heard.reduce((sum, frame) => sum + (frame.type === 'data' ? frame.bytes.length : 0), 0);
  expect(sent).toBeLessThanOrEqual(WINDOW);
  other.say({ type: 'data', stream: goodId, offset: 0, bytes: Buffer.from('fine'), end: true });
  expect(Buffer.concat(await clock.runUntil(Array.fromAsync(good.incoming))).toString()).toBe('fine');
  stream.destroy();
  await expect(written).rejects.toThrow('destroyed');
});
