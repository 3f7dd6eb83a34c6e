import { beforeEach, expect, test } from 'vitest';
import { frames } from '#test/support/kubelet/web-socket.ts';
import { settled } from '#test/support/settled.ts';
import { maskedFrame } from '#test/support/web-socket.ts';
import { frame, OPCODE } from './frame.ts';
import { WebSocketSession } from './session.ts';

/** A stream of items that a test pushes, until it ends the stream. */
class Pushed<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #wake = (): void => {};
  #isOver = false;

  push(...items: T[]): void {
    this.#waiting.push(...items);
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const item = this.#waiting.shift();
      if (item !== undefined) yield item;
      else if (this.#isOver) return;
      else await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}

const text = (of: string): Uint8Array => frame(OPCODE.text, Buffer.from(of));
const CLOSING = Buffer.from([0x03, 0xe8]);

let gone: AbortController;
let session: WebSocketSession;
let client: Pushed<Uint8Array>;
let events: Pushed<Uint8Array>;
let received: Promise<void>;
let next: () => Promise<string>;
beforeEach(() => {
  gone = new AbortController();
  session = new WebSocketSession({ signal: () => gone.signal }, { protocol: '', headers: { upgrade: 'websocket' } });
  [client, events] = [new Pushed(), new Pushed()];
  session.signal.addEventListener('abort', () => events.end());
  const { body, upgrade } = session.answer(events);
  received = upgrade?.receive(client) ?? Promise.reject(new Error('no upgrade'));
  const sent = frames(body as AsyncIterable<Uint8Array>);
  next = async () => {
    const { done, value } = await sent.next();
    return done === true ? 'end' : `${value.opcode}:${value.payload.toString('latin1')}`;
  };
});

test('sends frames as they arrive, and then a close frame', async () => {
  events.push(text('a'), text('b'));
  expect([await next(), await next()]).toEqual(['1:a', '1:b']);
  events.end();
  expect([await next(), await next()]).toEqual(['8:\x03\xe8', 'end']);
});

test('answers a ping between frames, and while there are none', async () => {
  const idle = next();
  client.push(maskedFrame(OPCODE.ping, 'there?'));
  expect(await idle).toBe('10:there?');
  client.push(
    maskedFrame(OPCODE.ping, 'and now?'),
    maskedFrame(OPCODE.pong, 'ignored'),
    maskedFrame(OPCODE.text, 'too'),
  );
  events.push(text('a'));
  expect([await next(), await next()].toSorted()).toEqual(['10:and now?', '1:a']);
});

test('answers the last of several waiting pings', async () => {
  const pings = Array.from({ length: 1000 }, (_, i) => maskedFrame(OPCODE.ping, String(i)));
  client.push(Buffer.concat(pings));
  await settled();
  expect(await next()).toBe('10:999');
  events.end();
  expect(await next()).toMatch(/^8:/);
});

test('ends the frames when the client closes, and echoes its status', async () => {
  const idle = next();
  client.push(maskedFrame(OPCODE.close, CLOSING));
  expect([await idle, await next()]).toEqual(['8:\x03\xe8', 'end']);
  expect(session.signal.aborted).toBe(true);
  client.push(maskedFrame(OPCODE.ping, 'late'), frame(OPCODE.text, CLOSING)); // read so that the response is sent, but ignored
  client.end();
  await received;
});

test.each<[string, Uint8Array, string]>([
  ['a frame that is not masked', frame(OPCODE.text, CLOSING), '8:\x03\xea'],
  ['a close frame of half a status', maskedFrame(OPCODE.close, CLOSING.subarray(1)), '8:\x03\xea'],
  ['a reason that is not text', maskedFrame(OPCODE.close, Buffer.from([0x03, 0xe8, 0xff])), '8:\x03\xef'],
])('closes the session after %s', async (_, bytes, told) => {
  const idle = next();
  client.push(bytes);
  expect([await idle, await next(), session.signal.aborted]).toEqual([told, 'end', true]);
});

test('answers a client that ends its side without a close frame', async () => {
  const idle = next();
  client.end();
  expect([await idle, await next()]).toEqual(['8:\x03\xe8', 'end']);
});

test('treats a broken connection as an error', async () => {
  const broken = new Error('reset');
  const other = new WebSocketSession({ signal: () => gone.signal }, { protocol: '', headers: {} });
  const { body, upgrade } = other.answer(events);
  other.signal.addEventListener('abort', () => events.end());
  const breaks = async function* (): AsyncGenerator<Uint8Array> {
    yield maskedFrame(OPCODE.text, 'hi');
    throw broken;
  };
  await upgrade?.receive(breaks());
  await expect((body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]().next()).rejects.toBe(broken);
});

test('ends the frames when the reader stops', async () => {
  let isReturned = false;
  const source = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield text('a');
      yield text('b');
    } finally {
      isReturned = true;
    }
  };
  const { body } = new WebSocketSession({ signal: () => gone.signal }, { protocol: '', headers: {} }).answer(source());
  for await (const sent of body as AsyncIterable<Uint8Array>) {
    expect(Buffer.from(sent).toString()).toContain('a');
    break;
  }
  expect(isReturned).toBe(true);
});

test('yields to other requests before each chunk from a client', async () => {
  let turns = 0;
  const turn = async (): Promise<void> => void turns++;
  const polite = new WebSocketSession({ signal: () => gone.signal, turn }, { protocol: '', headers: {} });
  const sent = new Pushed<Uint8Array>();
  sent.push(...['a', 'b', 'c'].map((ping) => maskedFrame(OPCODE.ping, ping)));
  sent.end();
  await polite.receive(sent);
  expect(turns).toBe(3);
});
