import { describe, expect, test } from 'vitest';
import { memoryWatchSlots } from '#lib/flowcontrol/memory-watch-slots.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { boundedWatch, type StreamingResponse, type WatchBounds } from './watch-bounds.ts';

const turn = (): Promise<void> => new Promise(setImmediate);

/** A stream that says what it is told to, and knows whether it was ended. */
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

const opened = (body: AsyncIterable<Uint8Array>): StreamingResponse => ({ status: 200, headers: {}, body });

describe('a hop that cuts silent streams after a minute', () => {
  const bounds: WatchBounds = { idleSeconds: 60 };

  test('finds one ended before, but none that speaks', async () => {
    const [clock, stream, heard] = [new ManualClock(), aStream(), [] as string[]];
    const { body } = await boundedWatch(bounds, clock, async () => opened(stream.body));
    const read = (async () => {
      for await (const chunk of body) heard.push(Buffer.from(chunk).toString());
    })();
    for (const text of ['a', 'b', 'c']) {
      await turn();
      clock.advance(47_000);
      await turn();
      stream.say(text);
      await turn();
    }
    expect([heard, stream.state.isEnded]).toEqual([['a', 'b', 'c'], false]);
    clock.advance(48_000);
    await read;
    expect([heard, stream.state.isEnded]).toEqual([['a', 'b', 'c'], true]);
  });
});

describe('slots', () => {
  const world = () => {
    const clock = new ManualClock();
    const bounds: WatchBounds = { maxSeconds: 300, slots: memoryWatchSlots(1, clock) };
    const open = (body: AsyncIterable<Uint8Array>) => boundedWatch(bounds, clock, async () => opened(body));
    return { clock, bounds, open };
  };
  const BUSY = { code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 5 } };

  test('a watch without a free slot gets a 429 with Retry-After', async () => {
    const { open } = world();
    await open(aStream().body);
    await expect(open(aStream().body)).rejects.toMatchObject(BUSY);
  });

  test('one is free again when its watch ends', async () => {
    const { open } = world();
    const stream = aStream();
    const { body } = await open(stream.body);
    const reader = body[Symbol.asyncIterator]();
    const end = reader.next();
    await turn();
    stream.end();
    expect((await end).done).toBe(true);
    await open(aStream().body);
  });

  test('one is free again when its watch cannot be opened', async () => {
    const { clock, bounds, open } = world();
    const failing = boundedWatch(bounds, clock, () => Promise.reject(new Error('no such kind')));
    await expect(failing).rejects.toThrow('no such kind');
    await open(aStream().body);
  });

  test('one is free again when its process died', async () => {
    const { clock, open } = world();
    await open(aStream().body);
    clock.advance(300_000);
    await expect(open(aStream().body)).rejects.toMatchObject(BUSY);
    clock.advance(16_000);
    await open(aStream().body);
  });
});
