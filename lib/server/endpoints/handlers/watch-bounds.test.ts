import { describe, expect, test } from 'vitest';
import type { Clock } from '#lib/machinery/clock.ts';
import { memoryWatchSlots } from '#lib/server/flowcontrol/memory-watch-slots.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { slotAsker } from './slot-asker.ts';
import { type Bounded, boundedWatch, type StreamingResponse, type WatchBounds } from './watch-bounds.ts';

/** A stream that yields the chunks that the test pushes, and records whether it was ended. */
function aStream() {
  const waiting: PromiseWithResolvers<IteratorResult<Uint8Array, undefined>>[] = [];
  const state = { isEnded: false };
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    const chunk = Promise.withResolvers<IteratorResult<Uint8Array, undefined>>();
    waiting.push(chunk);
    return chunk.promise;
  };
  const end = (): IteratorResult<Uint8Array, undefined> => {
    state.isEnded = true;
    const done = { done: true, value: undefined } as const;
    for (const one of waiting) one.resolve(done);
    return done;
  };
  const body: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({ next, return: async () => end() }),
  };
  return {
    state,
    body,
    end,
    say: (text: string) => waiting.shift()?.resolve({ done: false, value: Buffer.from(text) }),
  };
}

const request: ApiRequest = {
  method: 'GET',
  path: '/api/v1/pods',
  query: new URLSearchParams('watch=1&resourceVersion=7'),
  headers: { 'user-agent': 'operator/1' },
  body: async () => new Uint8Array(),
  signal: () => new AbortController().signal,
};
const scopeOf = (watches: WatchBounds, clock: Clock, user = 'ann'): Bounded => ({
  watches,
  clock,
  context: { request, user: { name: user, groups: [] } },
});

const opened = (body: AsyncIterable<Uint8Array>): StreamingResponse => ({ status: 200, headers: {}, body });

describe('an intermediary that cuts idle streams after a minute', () => {
  const bounds: WatchBounds = { idleSeconds: 60 };

  test('never cuts a silent watch, which ends before, nor an active one', async () => {
    const [clock, stream, heard] = [new ManualClock(), aStream(), [] as string[]];
    const { body } = await boundedWatch(scopeOf(bounds, clock), async () => opened(stream.body));
    const read = (async () => {
      for await (const chunk of body) heard.push(Buffer.from(chunk).toString());
    })();
    for (const text of ['a', 'b', 'c']) {
      await settled();
      clock.advance(47_000);
      await settled();
      stream.say(text);
      await settled();
    }
    expect([heard, stream.state.isEnded]).toEqual([['a', 'b', 'c'], false]);
    clock.advance(48_000);
    await read;
    expect([heard, stream.state.isEnded]).toEqual([['a', 'b', 'c'], true]);
  });
});

describe('slots for watches', () => {
  const world = () => {
    const clock = new ManualClock();
    const bounds: WatchBounds = { maxSeconds: 300, slots: memoryWatchSlots(1, clock) };
    const open = (body: AsyncIterable<Uint8Array>, user?: string) =>
      boundedWatch(scopeOf(bounds, clock, user), async () => opened(body));
    return { clock, bounds, open };
  };
  const BUSY = { code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 5 } };

  test('rejects a watch without a free slot with 429 and Retry-After', async () => {
    const { open } = world();
    await open(aStream().body);
    await expect(open(aStream().body)).rejects.toMatchObject(BUSY);
  });

  test('frees a slot when its watch ends', async () => {
    const { open } = world();
    const stream = aStream();
    const { body } = await open(stream.body);
    const reader = body[Symbol.asyncIterator]();
    const end = reader.next();
    await settled();
    stream.end();
    expect((await end).done).toBe(true);
    await open(aStream().body);
  });

  test('frees a slot when its watch cannot be opened', async () => {
    const { clock, bounds, open } = world();
    const failing = boundedWatch(scopeOf(bounds, clock), () => Promise.reject(new Error('no such kind')));
    await expect(failing).rejects.toThrow('no such kind');
    await open(aStream().body);
  });

  test('frees a slot when its process has died', async () => {
    const { clock, open } = world();
    await open(aStream().body, 'bob');
    clock.advance(300_000);
    await expect(open(aStream().body)).rejects.toMatchObject(BUSY);
    clock.advance(16_000);
    await open(aStream().body);
  });

  test('ends a watch within half a minute after its client has reopened it', async () => {
    const { clock, open } = world();
    const stream = aStream();
    const { body } = await open(stream.body);
    const end = body[Symbol.asyncIterator]().next();
    await settled();
    clock.advance(30_000);
    await settled();
    clock.advance(10_000);
    await open(aStream().body);
    await settled();
    expect(stream.state.isEnded).toBe(false);
    clock.advance(30_000);
    expect((await end).done).toBe(true);
    expect(stream.state.isEnded).toBe(true);
  });
});

describe('identity of a watch for its slot', () => {
  const asked = (given: Partial<ApiRequest> = {}, user = { name: 'ann', groups: ['dev'] }) =>
    slotAsker({ request: { ...request, ...given }, user });
  const query = (text: string): Partial<ApiRequest> => ({ query: new URLSearchParams(text) });

  test('is the same when its client reopens it at another version', () => {
    expect(asked(query('timeoutSeconds=300&resourceVersion=9&watch=1'))).toEqual(asked());
  });

  test.each([
    ['path', { path: '/api/v1/secrets' }],
    ['selector', query('watch=1&labelSelector=a%3Db')],
    ['program', { headers: { 'user-agent': 'operator/2' } }],
    ['address', { connection: { remoteAddress: '192.0.2.9' } }],
  ])('differs for another %s', (_, given) => {
    expect(asked(given).watch).not.toBe(asked().watch);
    expect(asked(given).holder).toBe(asked().holder);
  });

  test('keeps the slot of an administrator from being taken', () => {
    expect(asked({}, { name: 'root', groups: ['system:masters'] }).holder).toBe('');
  });
});
