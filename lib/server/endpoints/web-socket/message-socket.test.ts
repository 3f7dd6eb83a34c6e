import { describe, expect, test } from 'vitest';
import { CLOSE, closeFrame, frame, OPCODE } from './frame.ts';
import { MessageSocket } from './message-socket.ts';

const MASK = Uint8Array.of(1, 2, 3, 4);

interface Pair {
  readonly client: MessageSocket;
  readonly server: MessageSocket;
  readonly received: { readonly client: string[]; readonly server: string[] };
}

/** Two connected ends. */
function aPair(message?: (payload: Uint8Array) => void): Pair {
  const received = { client: [] as string[], server: [] as string[] };
  const take = (list: string[]) => (payload: Uint8Array) => void list.push(Buffer.from(payload).toString());
  const client = new MessageSocket({ isClient: true, limit: 100, message: take(received.client) });
  const server = new MessageSocket({ isClient: false, limit: 100, message: message ?? take(received.server) });
  void client.receive(server.outgoing);
  void server.receive(client.outgoing);
  return { client, server, received };
}

/** Sends the bytes to a server's end and returns the frames with which it responds. */
async function answersTo(...bytes: Uint8Array[]): Promise<Buffer> {
  const socket = new MessageSocket({ isClient: false, limit: 100, message: () => undefined });
  async function* source() {
    yield* bytes;
  }
  const received = socket.receive(source());
  const frames: Uint8Array[] = [];
  for await (const one of socket.outgoing) frames.push(one);
  await received;
  return Buffer.concat(frames);
}

describe('a WebSocket of messages', () => {
  test('carries messages both ways', async () => {
    const { client, server, received } = aPair();
    await client.send(Buffer.from('one'));
    await client.send(Buffer.from('two'));
    await server.send(Buffer.from('three'));
    expect(received).toEqual({ client: ['three'], server: ['one', 'two'] });
  });

  test('closes with a reason at the peer, and then sends nothing', async () => {
    const { client, server } = aPair();
    server.close('another instance is connected');
    expect(await client.closed).toBe('another instance is connected');
    await server.closed;
    await expect(client.send(Buffer.from('x'))).rejects.toThrow('the WebSocket is closed');
    await expect(server.send(Buffer.from('x'))).rejects.toThrow('the WebSocket is closed');
  });

  test('ends if a message is invalid', async () => {
    const { client, server } = aPair(() => {
      throw new Error('no frame');
    });
    await client.send(Buffer.from('x'));
    expect(await client.closed).toBe('no frame');
    await server.closed;
  });

  test('rejects queued messages when the connection has ended', async () => {
    const socket = new MessageSocket({ isClient: false, limit: 100, message: () => undefined });
    const frames = socket.outgoing[Symbol.asyncIterator]();
    const [first, second] = [socket.send(Buffer.from('1')), socket.send(Buffer.from('2'))];
    await frames.next();
    const results = Promise.allSettled([first, second]);
    await frames.return?.();
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test.each<[string, Uint8Array[], Buffer]>([
    ['a ping with a pong', [frame(OPCODE.ping, Buffer.from('x'), MASK)], frame(OPCODE.pong, Buffer.from('x'))],
    ['a close frame with one', [closeFrame(CLOSE.normal, '', MASK), Buffer.from('rest')], closeFrame(CLOSE.normal)],
    [
      'text by closing',
      [frame(OPCODE.text, Buffer.from('x'), MASK)],
      closeFrame(CLOSE.invalidData, 'the other end broke the protocol of WebSockets: 1007'),
    ],
    [
      'bytes that are no frame by closing',
      [Buffer.from('GET / HTTP/1.1')],
      closeFrame(CLOSE.protocolError, 'the other end broke the protocol of WebSockets: 1002'),
    ],
    [
      'a message above the limit by closing',
      [frame(OPCODE.binary, Buffer.alloc(101), MASK)],
      closeFrame(CLOSE.tooBig, 'the other end broke the protocol of WebSockets: 1009'),
    ],
  ])('responds to %s', async (_, bytes, answer) => {
    expect(await answersTo(...bytes)).toEqual(answer);
  });

  test('answers no more pings than its connection accepts', async () => {
    const pings = Buffer.concat(Array.from({ length: 1000 }, () => frame(OPCODE.ping, Buffer.from('x'), MASK)));
    expect((await answersTo(pings)).length).toBeLessThan(100);
  });
});

test('limits a close frame to 125 bytes without splitting a character', () => {
  const bytes = closeFrame(CLOSE.policy, 'ä'.repeat(100));
  expect(bytes.length).toBe(2 + 124);
  expect(bytes.subarray(4).toString()).toBe('ä'.repeat(61));
});
