import { expect, test } from 'vitest';
import type { Clock } from '#lib/machinery/clock.ts';
import { MemoryStore } from '../memory/store.ts';
import { overriding, put, summarize } from './builders.ts';
import { ResourceCache } from './resource-cache.ts';

/** Time passes from one sleep's end to the next, when nothing else is left to do: what work costs the processor is left out. */
class EventClock implements Clock {
  private time = 0;
  private readonly sleeps: { readonly at: number; readonly wake: () => void }[] = [];

  now(): number {
    return 1_700_000_000_000 + this.time;
  }

  monotonic(): number {
    return this.time;
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => void this.sleeps.push({ at: this.time + milliseconds, wake }));
  }

  async runUntil(work: Promise<unknown>): Promise<void> {
    const over = work.then(() => true);
    while (!(await Promise.race([over, new Promise((resolve) => setImmediate(resolve, false))]))) {
      const first = this.sleeps.reduce((least, one) => (one.at < least.at ? one : least));
      this.sleeps.splice(this.sleeps.indexOf(first), 1);
      this.time = first.at;
      first.wake();
    }
  }
}

/** The same numbers from 0 to below 1 each time. */
function numbers(): () => number {
  let state = 7;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

test.each([
  { rate: 100, half: 30, most: 100 }, // the bar of docs/limits.md
  { rate: 150, half: 60, most: 600 },
])(
  'instances that each serve one request share $rate writes a second at 5 ms to the store',
  async ({ rate, half, most }) => {
    const [clock, random] = [new EventClock(), numbers()];
    const inner = new MemoryStore({ clock, retention: 3_600_000 }).sequence('things');
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
    const open = () => new ResourceCache({ sequence, clock, summarize, retention: 3_600_000 });
    const free = Array.from({ length: 64 }, open);
    const times: number[] = [];
    async function write(key: string): Promise<void> {
      const [cache, begun] = [free.shift() ?? open(), clock.monotonic()];
      await cache.get(key, { kind: 'fresh' });
      await cache.mutate(key, put(key, 'x'));
      times.push(clock.monotonic() - begun);
      free.push(cache);
    }
    async function load(): Promise<void> {
      for (const cache of free) await cache.list({ prefix: '', at: { kind: 'fresh' }, limit: 1 });
      const writes: Promise<void>[] = [];
      for (let i = 0; i < 300; i++) {
        await clock.sleep((-Math.log(1 - random()) * 1000) / rate);
        writes.push(write(`main//things/ns/o${i}`));
      }
      await Promise.all(writes);
    }
    await clock.runUntil(load());
    expect(times).toHaveLength(300);
    times.sort((a, b) => a - b);
    expect(times[150]).toBeLessThan(half);
    expect(times[296]).toBeLessThan(most);
  },
  60_000,
);
