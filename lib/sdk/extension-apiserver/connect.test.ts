import { beforeEach, describe, expect, test } from 'vitest';
import { conflict } from '#lib/machinery/errors.ts';
import { OPCODE } from '#lib/server/endpoints/web-socket/frame.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { frames } from '#test/support/kubelet/web-socket.ts';
import { settled } from '#test/support/settled.ts';
import { maskedFrame } from '#test/support/web-socket.ts';
import { aBookshop, BOOKS } from './bookshop.conformance.ts';
import { connectAggregatedApi } from './connect.ts';
import { functionApi } from './function-api.ts';
import type { Subresource } from './storage.ts';

type Author = NonNullable<Subresource['connect']>;

let ending: AbortController;
let shop: ReturnType<typeof aBookshop>;
beforeEach(() => {
  ending = new AbortController();
  shop = aBookshop();
});

const ASKING = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' };
const user = { name: 'bob', uid: '', groups: [], extra: {} };
const log = { info: () => undefined, error: (message: string) => void shop.logged.push(message) };
/** Requests `books/read` from an author's API. With `hasConnections` false, functions have no connections. */
function ask(connect: Author, { hasConnections = true, method = 'GET', name = 'a' } = {}) {
  const api = shop.apiOf({ subresources: { read: { connect, protocols: ['v1'] } } });
  const connector = hasConnections
    ? async (_: string, link: Parameters<typeof connectAggregatedApi>[2], { query }: ApiRequest) =>
        connectAggregatedApi(api, { info: context.info, user, log, query }, link)
    : undefined;
  const path = `${BOOKS}/${name}/read`;
  const { signal } = ending;
  const context = aRequestContext(
    { method, path, headers: ASKING, signal: () => signal, upgrade: 'websocket' },
    { user },
  );
  const invoke = () => Promise.reject(new Error('is not invoked'));
  return functionApi(api.declaration, invoke, connector).handle(context);
}

/** A session whose client sends these bytes, and then nothing more until it closes. */
async function session(connect: Author, bytes: Iterable<Uint8Array> = []) {
  const { status, body, upgrade } = await ask(connect);
  if (typeof body === 'string' || body instanceof Uint8Array || upgrade === undefined) throw new Error(`${status}`);
  const sent = frames(body);
  const client = { taken: 0, leave: (): void => undefined };
  const gone = new Promise<void>((resolve) => (client.leave = resolve));
  async function* source() {
    for (const one of bytes) {
      yield one;
      client.taken += one.length;
    }
    await gone;
  }
  void upgrade.receive(source());
  return Object.assign(client, {
    async next() {
      const { value, done } = await sent.next();
      if (done === true) return 'end';
      const { opcode, payload } = value;
      return opcode === OPCODE.close
        ? `8:${payload.readUInt16BE()}${payload.toString('utf8', 2)}`
        : `${opcode}:${payload}`;
    },
  });
}

const text = (message: string) => maskedFrame(OPCODE.text, message);
const echo: Author = async ({ messages, send }) => {
  for await (const message of messages) await send(message);
};

describe('a subresource that connects', () => {
  test('passes messages to its author and back', async () => {
    const client = await session(echo, [text('a'), maskedFrame(OPCODE.binary, 'b')]);
    expect([await client.next(), await client.next()]).toEqual(['1:a', '2:b']);
  });

  test('leaves the remaining messages to the next loop after a break', async () => {
    const client = await session(
      async (of) => {
        for await (const first of of.messages) {
          await of.send(`first ${String(first)}`);
          break;
        }
        for await (const next of of.messages) await of.send(`next ${String(next)}`);
      },
      [text('a'), text('b')],
    );
    expect([await client.next(), await client.next()]).toEqual(['1:first a', '1:next b']);
  });

  test('closes after the messages that its author sent without awaiting', async () => {
    const client = await session(async (of) => void [of.send('a'), of.send('b')]);
    expect([await client.next(), await client.next(), await client.next(), await client.next()]).toEqual([
      '1:a',
      '1:b',
      '8:1000',
      'end',
    ]);
  });

  test('reads no more than 64 KiB ahead of its author', async () => {
    const chunk = maskedFrame(OPCODE.binary, new Uint8Array(16 * 1024));
    const read = Promise.withResolvers<void>();
    const client = await session(
      async (of) => {
        await of.send('here');
        await read.promise;
        for await (const _ of of.messages);
      },
      Array.from({ length: 100 }, () => chunk),
    );
    await client.next();
    void client.next();
    await settled();
    expect(client.taken / chunk.length).toBeLessThan(5);
    read.resolve();
    await settled();
    expect(client.taken / chunk.length).toBe(100);
  });

  test('lets its author send one message ahead of the client', async () => {
    let sent = 0;
    const client = await session(async (of) => {
      for (;;) {
        await of.send('x');
        sent++;
      }
    });
    await client.next();
    await settled();
    expect(sent).toBeLessThan(2);
    await client.next();
    await client.next();
    await settled();
    expect(sent).toBe(2);
  });

  test.each<[string, Uint8Array, string]>([
    ['text that is not UTF-8', maskedFrame(OPCODE.text, Uint8Array.of(0xff)), '8:1007'],
    ['a message above 1 MiB', maskedFrame(OPCODE.binary, new Uint8Array(1024 * 1024 + 1)), '8:1009'],
  ])('closes the session after %s', async (_, bytes, close) => {
    const client = await session(echo, [bytes]);
    expect(await client.next()).toContain(close);
    expect(await client.next()).toBe('end');
    expect(shop.logged).toEqual([]);
  });

  test('closes with the message of a StatusError, and logs the message of any other error', async () => {
    const failing = (error: Error) =>
      session(async (of) => {
        await of.send('a');
        throw error;
      });
    const known = await failing(conflict({ group: '', resource: 'books' }, 'a', 'is lent'));
    expect([await known.next(), await known.next()]).toEqual(['1:a', expect.stringMatching(/^8:1011.*is lent/)]);
    expect(shop.logged).toEqual([]);
    const unknown = await failing(new Error('hunter2'));
    expect([await unknown.next(), await unknown.next()]).toEqual(['1:a', expect.not.stringContaining('hunter2')]);
    expect(shop.logged).toEqual(['hunter2']);
  });

  test.each(['the client goes', 'the server ends'])(
    'aborts the signal of its author and ends its messages when %s',
    async (how) => {
      const ended = Promise.withResolvers<boolean>();
      const client = await session(async (of, { signal }) => {
        await of.send('here');
        for await (const _ of of.messages);
        ended.resolve(signal.aborted);
      });
      await client.next();
      if (how === 'the client goes') client.leave();
      else ending.abort();
      expect(await client.next()).toBe(how === 'the client goes' ? 'end' : '8:1001');
      expect(await ended.promise).toBe(true);
    },
  );

  test('ends for the client even if its author ignores the signal before the switch', async () => {
    const asked = ask(() => new Promise(() => undefined));
    ending.abort();
    await expect(asked).rejects.toMatchObject({ code: 503 });
  });

  test('returns 501 if functions have no connections', async () => {
    await expect(ask(echo, { hasConnections: false })).rejects.toMatchObject({
      code: 501,
      message: expect.stringContaining('behind a Service'),
    });
  });

  test('has the verb get in discovery', () => {
    const api = shop.apiOf({ subresources: { read: { connect: echo } } });
    const { version } = functionApi(api.declaration, () => Promise.reject(new Error('is not invoked')));
    expect(version.resources.at(-1)).toMatchObject({ name: 'books/read', verbs: ['get'] });
  });

  test('rejects the declaration of a subprotocol that is invalid in a header', () => {
    expect(() => shop.apiOf({ subresources: { read: { connect: echo, protocols: ['a b'] } } })).toThrow(/protocols/);
  });
});

test('passes no name to an author that is not a path segment', async () => {
  await expect(ask(async () => undefined, { name: '%2e%2e' })).rejects.toMatchObject({ code: 400 });
});
