import { describe, expect, test } from 'vitest';
import type { Clock } from '#lib/machinery/clock.ts';
import { settled } from '#test/support/settled.ts';
import { StoreError } from '../errors.ts';
import { type AppendFault, faultySequence } from '../memory/faults.ts';
import { MemoryStore } from '../memory/store.ts';
import type { Sequence } from '../sequence.ts';
import { add, overriding, parse, put, remove, summarize } from './builders.ts';
import { ResourceCache } from './resource-cache.ts';

const PREFIX = 'main//things/default/';
const RETENTION = 3_600_000;

/** A clock that advances only while a caller sleeps. */
class PassingClock implements Clock {
  #time = 1_700_000_000_000;

  now(): number {
    return this.#time;
  }

  monotonic(): number {
    return this.#time - 1_700_000_000_000;
  }

  async sleep(milliseconds: number): Promise<void> {
    this.#time += milliseconds;
    await Promise.resolve();
  }
}

const aLog = (clock: Clock): Sequence => new MemoryStore({ clock, retention: RETENTION }).sequence('things');
const cacheOf = (sequence: Sequence, clock: Clock) =>
  new ResourceCache({ sequence, clock, summarize, retention: RETENTION });

async function changesOf(sequence: Sequence) {
  return (await sequence.readLog(1, { limit: 100_000, consistent: true })).changes;
}

describe('64 instances with one request each at a time', () => {
  const FAULTS: readonly AppendFault[] = ['none', 'none', 'conflict', 'loseAnswer', 'none', 'loseRequest', 'none'];

  test.each([
    ['with one object for each', (instance: number) => `${PREFIX}o${instance}`],
    ['with the same object for all', () => `${PREFIX}one`],
  ])('commit every acknowledged write exactly once under any faults, %s', async (_, keyOf) => {
    const log = aLog(new PassingClock());
    let calls = 0;
    const faults = { append: (): AppendFault => FAULTS[++calls % FAULTS.length] ?? 'none' };
    const acknowledged: string[] = [];
    const refused: unknown[] = [];
    const instance = async (_none: undefined, i: number): Promise<void> => {
      const cache = cacheOf(faultySequence('things', log, faults), new PassingClock());
      for (let n = 0; n < 4; n++) {
        const mark = `<${i}.${n}>`;
        await cache.mutate(keyOf(i), add(keyOf(i), mark)).then(
          () => acknowledged.push(mark),
          (error: unknown) => refused.push(error),
        );
      }
    };
    await Promise.all(Array.from({ length: 64 }, () => undefined).map(instance));
    const last = new Map((await changesOf(log)).map(({ key, body }) => [key, parse(body).text]));
    const text = [...last.values()].join('');
    for (const mark of acknowledged) expect(text.split(mark)).toHaveLength(2);
    for (const error of refused) expect(error).toBeInstanceOf(StoreError);
    for (const error of refused) expect(['Overloaded', 'Unavailable']).toContain((error as StoreError).code);
    expect(acknowledged.length).toBeGreaterThan(192);
  });
});

test.each([
  ['less than two seconds (commits it)', 1_900, 'written'],
  ['longer (rejects it as Overloaded within a round trip)', 60_000, 'Overloaded'],
])('handles a write that loses every position for %s', async (_, until, expected) => {
  const clock = new PassingClock();
  const log = aLog(clock);
  const begun = clock.monotonic();
  const rivals = faultySequence('things', log, {
    append: () => (clock.monotonic() - begun < until ? 'conflict' : 'none'),
  });
  const slow = overriding(rivals, {
    append: async (after, proposals, how) => {
      await clock.sleep(5);
      return rivals.append(after, proposals, how);
    },
  });
  const key = `${PREFIX}one`;
  const outcome = await cacheOf(slow, clock)
    .mutate(key, put(key, 'x'))
    .then(
      () => 'written',
      (error: StoreError) => error.code,
    );
  expect(outcome).toBe(expected);
  expect(clock.monotonic() - begun).toBeLessThan(2_010);
  expect((await changesOf(log)).map(({ key: of }) => of)).toEqual(expected === 'written' ? [key] : []);
});

test('does not repeat a write with a lost response after its position was dropped from the log', async () => {
  const clock = new PassingClock();
  const log = aLog(clock);
  const key = `${PREFIX}one`;
  let sent = 0;
  const sequence = overriding(log, {
    append: async (after, proposals, how) => {
      if (++sent > 1) throw new StoreError('Expired', 'it was dropped');
      await log.append(after, proposals, how);
      throw new StoreError('Unavailable', 'the answer was lost');
    },
  });
  const mutated = cacheOf(sequence, clock).mutate(key, add(key, 'x'));
  await expect(mutated).rejects.toMatchObject({ code: 'Unavailable' });
  expect((await changesOf(log)).map(({ body }) => parse(body).text)).toEqual(['x']);
});

describe('an instance that stops at any call of its store', () => {
  const [A, B] = [`${PREFIX}a`, `${PREFIX}b`];
  type Step = (cache: ResourceCache) => Promise<unknown>;
  const STEPS: readonly Step[] = [
    (cache) => cache.mutate(A, put(A, '1')),
    (cache) => cache.mutate(B, put(B, '1')),
    (cache) => cache.mutate(A, add(A, '2')),
    (cache) => cache.mutate(A, add(A, '3')),
    (cache) => cache.mutate(B, remove),
  ];
  /** The texts of A and B after each step. */
  const STATES: readonly string[] = ['-/-', '1/-', '1/1', '12/1', '123/1', '123/-'];

  /** A sequence that never responds from the n-th call on. `done` determines whether the n-th call takes effect. */
  function ending(inner: Sequence, n: number, done: boolean): { sequence: Sequence; calls(): number } {
    let calls = 0;
    const at = async <T>(call: () => Promise<T>): Promise<T> => {
      calls++;
      if (calls < n) return call();
      if (calls === n && done) await call();
      return new Promise<T>(() => undefined);
    };
    const sequence = overriding(inner, {
      head: () => at(() => inner.head()),
      read: (key) => at(() => inner.read(key)),
      readLog: (after, how) => at(() => inner.readLog(after, how)),
      snapshot: (how) => at(() => inner.snapshot(how)),
      append: (after, proposals, how) => at(() => inner.append(after, proposals, how)),
    });
    return { sequence, calls: () => calls };
  }

  async function run(n: number, done: boolean): Promise<{ steps: number; state: string; calls: number }> {
    const clock = new PassingClock();
    const log = aLog(clock);
    const { sequence, calls } = ending(log, n, done);
    const cache = cacheOf(sequence, clock);
    let steps = 0;
    const life = (async () => {
      for (const step of STEPS) {
        await step(cache);
        steps++;
      }
    })();
    await Promise.race([life, settled(2)]);
    const next = cacheOf(log, clock);
    const texts = await Promise.all([A, B].map((key) => next.get(key, { kind: 'fresh' })));
    const state = texts.map((object) => (object === undefined ? '-' : parse(object.body).text)).join('/');
    await next.mutate(A, add(A, '!'));
    return { steps, state, calls: calls() };
  }

  test('keeps every acknowledged write, and any other completely or not at all', async () => {
    const whole = await run(Number.POSITIVE_INFINITY, false);
    expect(whole).toMatchObject({ steps: STEPS.length, state: STATES.at(-1) });
    expect(whole.calls).toBeGreaterThan(STEPS.length);
    for (let n = 1; n <= whole.calls; n++) {
      for (const done of [false, true]) {
        const { steps, state } = await run(n, done);
        expect([STATES[steps], STATES[steps + 1]]).toContain(state);
      }
    }
  });
});
