import type { Clock } from '#lib/machinery/clock.ts';
import { overriding, put, summarize } from '#lib/storage/cache/builders.ts';
import { ResourceCache } from '#lib/storage/cache/resource-cache.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import { EventClock } from '#test/support/event-clock.ts';

/** The same pseudo-random numbers in [0, 1) each time. */
function numbers(): () => number {
  let state = 7;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

export interface Load {
  readonly instances: number;
  readonly writes: number;
  /** Writes per second, at random times. If undefined, each instance writes again immediately. */
  readonly rate?: number;
  /** Whether an instance serves any number of concurrent requests, interleaved. By default it serves one at a time. */
  readonly shared?: boolean;
}

export interface Served {
  /** The durations of all completed writes in ms. */
  readonly times: readonly number[];
  readonly refused: number;
  /** The time from the first request to the last response. */
  readonly seconds: number;
}

/**
 * Simulates writes to one resource type by instances that serve one request each, on a log whose calls take 4 to 6 ms. A write consists of
 * a fresh read and a put. Every run on every machine is identical, because only the calls take time.
 */
export async function contended({ instances, writes, rate, shared = false }: Load): Promise<Served> {
  const [clock, random] = [new EventClock(), numbers()];
  const open = opener(clock, random);
  const free = Array.from({ length: instances }, open);
  const times: number[] = [];
  let refused = 0;
  async function write(i: number): Promise<void> {
    const [cache, begun, key] = [free.shift() ?? open(), clock.monotonic(), `main//things/ns/o${i}`];
    if (shared) free.push(cache);
    try {
      await cache.get(key, { kind: 'fresh' });
      await cache.mutate(key, put(key, 'x'));
      times.push(clock.monotonic() - begun);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      refused++;
    }
    if (!shared) free.push(cache);
  }
  async function atRate(perSecond: number): Promise<void> {
    const all: Promise<void>[] = [];
    for (let i = 0; i < writes; i++) {
      await clock.sleep((-Math.log(1 - random()) * 1000) / perSecond);
      all.push(write(i));
    }
    await Promise.all(all);
  }
  async function withoutPause(): Promise<void> {
    let next = 0;
    const one = async (): Promise<void> => {
      while (next < writes) await write(next++);
    };
    await Promise.all(Array.from({ length: instances }, one));
  }
  let begun = 0;
  async function load(): Promise<void> {
    for (const cache of free) await cache.list({ prefix: '', at: { kind: 'fresh' }, limit: 1 });
    begun = clock.monotonic();
    await (rate === undefined ? withoutPause() : atRate(rate));
  }
  await clock.runUntil(load());
  return { times, refused, seconds: (clock.monotonic() - begun) / 1000 };
}

/** Instances on one remote log. */
function opener(clock: Clock, random: () => number): () => ResourceCache {
  const retention = 3_600_000;
  const inner = new MemoryStore({ clock, retention }).sequence('things');
  const late = async <T>(call: () => Promise<T>): Promise<T> => {
    await clock.sleep(2 + random());
    const answer = await call();
    await clock.sleep(2 + random());
    return answer;
  };
  const sequence = overriding(inner, {
    head: () => late(() => inner.head()),
    readLog: (after, how) => late(() => inner.readLog(after, how)),
    snapshot: (how) => late(() => inner.snapshot(how)),
    append: (after, proposals, how) => late(() => inner.append(after, proposals, how)),
  });
  return () => new ResourceCache({ sequence, clock, summarize, retention });
}
