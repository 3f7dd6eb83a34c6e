import { describe, expect, test } from 'vitest';
import { requestEntityTooLarge } from '#lib/machinery/errors.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { settled } from '#test/support/settled.ts';
import { readHead } from './answer-head.ts';
import { answerEvent } from './door.ts';
import { functionUrlRequest } from './function-url.ts';
import { restRequest } from './rest.ts';
import { answered, functionUrlEvent, type Handle, PlatformStream, restEvent } from './testing.ts';

const vouched = (): undefined => undefined;
const door = (handle: Handle) => ({ toRequest: functionUrlRequest, handle, vouched });
const EVENT = functionUrlEvent({ target: '/api/v1/pods?watch=1' });
const context = { getRemainingTimeInMillis: () => 900_000 };
const withHead = PlatformStream.withHead;

/** Yields one event per tick until the signal aborts. */
async function* ticks(request: ApiRequest): AsyncGenerator<Uint8Array> {
  const signal = request.signal();
  for (let i = 0; !signal.aborted; i++) {
    yield Buffer.from(`${i}\n`);
    await settled();
  }
}

const watch: Handle = async (request) => ({ status: 200, headers: {}, body: ticks(request) });

describe('a stream of events', () => {
  test('ends cleanly before the platform ends the invocation', async () => {
    const { status, body } = await answered(door(watch), EVENT, 5020);
    expect([status, body.toString().startsWith('0\n1\n')]).toEqual([200, true]);
  });

  test('sends its head before its first event', async () => {
    const first = Promise.withResolvers<Uint8Array>();
    async function* silent(): AsyncGenerator<Uint8Array> {
      yield await first.promise;
    }
    const stream = new PlatformStream();
    const answer = answerEvent(
      door(async () => ({ status: 200, headers: { a: 'b' }, body: silent() })),
      EVENT,
      {
        stream,
        withHead,
        context,
      },
    );
    const { head, body } = await readHead(stream);
    expect(head).toEqual({ statusCode: 200, headers: { a: 'b' } });
    first.resolve(Buffer.from('x'));
    expect(await Array.fromAsync(body, String)).toEqual(['x']);
    await answer;
  });

  test('ends when the client disconnects', async () => {
    const stream = new PlatformStream();
    const answer = answerEvent(door(watch), EVENT, { stream, withHead, context });
    stream.once('data', () => stream.destroy());
    await answer;
    expect(stream.destroyed).toBe(true);
  });

  test('waits for a slow client', async () => {
    let made = 0;
    async function* fast(): AsyncGenerator<Uint8Array> {
      for (; made < 100; made++) yield Buffer.alloc(64 * 1024);
    }
    const stream = new PlatformStream();
    const answer = answerEvent(
      door(async () => ({ status: 200, headers: {}, body: fast() })),
      EVENT,
      {
        stream,
        withHead,
        context,
      },
    );
    await settled(20);
    expect(made).toBeLessThan(10);
    stream.resume();
    await answer;
    expect(made).toBe(100);
  });

  test('is cut off on an error, so that the client does not consider it complete', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('x');
      throw new Error('the store is gone');
    }
    const response: ApiResponse = { status: 200, headers: {}, body: failing() };
    const stream = new PlatformStream();
    stream.resume();
    const answer = answerEvent(
      door(async () => response),
      EVENT,
      { stream, withHead, context },
    );
    await expect(answer).rejects.toThrow('the store is gone');
    expect(stream.writableEnded).toBe(false);
  });
});

describe('a response beyond the streaming limit of Lambda', () => {
  const MEGABYTE = Buffer.alloc(1_000_000);
  async function* megabytes(count: number): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < count; i++) yield MEGABYTE;
  }
  const answerOf = async (response: ApiResponse) => {
    const stream = new PlatformStream();
    let size = 0;
    stream.on('data', (chunk: Uint8Array) => (size += chunk.length));
    const answer = answerEvent(
      door(async () => response),
      EVENT,
      { stream, withHead, context },
    );
    return answer.then(
      () => [stream.writableEnded, Math.floor(size / 1_000_000)],
      (error: unknown) => String(error),
    );
  };

  test('is cut off for a document and ends cleanly for events', async () => {
    const response = { status: 200, headers: {} };
    expect(await answerOf({ ...response, body: megabytes(200), ends: true })).toEqual([true, 200]);
    expect(await answerOf({ ...response, body: megabytes(201), ends: true })).toContain('200000000 bytes');
    expect(await answerOf({ ...response, body: megabytes(201) })).toEqual([true, 200]);
  });
});

const ports = {
  vouched,
  signal: (): AbortSignal => {
    throw new Error('nobody asks');
  },
};

test.each([
  ['a function URL', (body: Uint8Array) => functionUrlRequest(functionUrlEvent({ target: '/', body }), ports)],
  ['a REST API', (body: Uint8Array) => restRequest(restEvent({ target: '/', body }), ports)],
])('rejects a body beyond 3 MiB through %s', async (_, request) => {
  const most = 3 * 1024 * 1024;
  expect((await request(Buffer.alloc(most)).body()).length).toBe(most);
  await expect(request(Buffer.alloc(most + 1)).body()).rejects.toEqual(requestEntityTooLarge(`limit is ${most}`));
});
