import { describe, expect, test } from 'vitest';
import { settled } from '#test/support/settled.ts';
import { StoreError } from '../errors.ts';
import { ManualClock } from '../memory/manual-clock.ts';
import { MemoryStore } from '../memory/store.ts';
import type { Sequence } from '../sequence.ts';
import type { WatchEvent, WatchRequest } from '../storage.ts';
import { ByteBudget } from './budget.ts';
import { aBody, add, overriding, put, remove, show, summarize } from './builders.ts';
import { ResourceCache, type ResourceCacheOptions } from './resource-cache.ts';

const PODS = 'main//pods/';
const A = `${PODS}default/a`;
const B = `${PODS}default/b`;
const RETENTION = 3_600_000;
const FRESH = { kind: 'fresh' } as const;

function aWorld(options: Partial<ResourceCacheOptions> = {}) {
  const clock = new ManualClock();
  const calls: string[] = [];
  const inner = new MemoryStore({ clock, retention: RETENTION }).sequence('pods');
  const sequence: Sequence = overriding(inner, {
    readLog: (after, how) => (calls.push('readLog'), inner.readLog(after, how)),
    append: (after, proposals, how) => (calls.push(`append ${proposals.length}`), inner.append(after, proposals, how)),
  });
  const open = (more: Partial<ResourceCacheOptions> = {}) =>
    new ResourceCache({ sequence, clock, summarize, retention: RETENTION, ...options, ...more });
  return { clock, calls, inner, sequence, open, cache: open() };
}

function watching(cache: ResourceCache, request: Partial<WatchRequest> = {}) {
  const abort = new AbortController();
  const seen: string[] = [];
  const stream = cache.watch({ prefix: PODS, after: 1, bookmarks: false, signal: abort.signal, ...request });
  const done = (async () => {
    for await (const event of stream) seen.push(tell(event));
    return 'ended';
  })().catch((error: unknown) => (error instanceof StoreError ? error.code : String(error)));
  return { abort, seen, done, stream };
}

const tell = (event: WatchEvent): string =>
  event.type === 'BOOKMARK' ? `BOOKMARK ${event.version}` : `${event.type} ${show(event.object)}`;

const MODES: readonly [string, Partial<ResourceCacheOptions>][] = [
  ['owning its log', { exclusive: true }],
  ['sharing its log', {}],
  ['without room', { budget: new ByteBudget(1, new ManualClock()) }],
];

describe.each(MODES)('a resource cache %s', (_, options) => {
  test('returns stored objects with their versions', async () => {
    const { cache } = aWorld(options);
    expect(show((await cache.mutate(A, put(A, '1'))).stored)).toBe('a=1@2');
    expect(show((await cache.mutate(A, add(A, '2'))).stored)).toBe('a=12@3');
    expect(show(await cache.get(A, FRESH))).toBe('a=12@3');
    expect(show((await cache.mutate(A, remove)).stored)).toBe('a=12@4');
    expect(await cache.get(A, FRESH)).toBeUndefined();
    expect(await cache.mutate(A, remove)).toEqual({ result: 'gone' });
    expect(await cache.head()).toBe(4);
  });

  test('lists in key order, in pages of one version', async () => {
    const { cache } = aWorld(options);
    for (const name of ['b', 'd', 'a', 'c']) await cache.mutate(PODS + name, put(PODS + name, '1'));
    const first = await cache.list({ prefix: PODS, at: FRESH, limit: 2 });
    expect(first.objects.map(show)).toEqual(['a=1@4', 'b=1@2']);
    expect([undefined, 2]).toContain(first.remaining);
    await cache.mutate(`${PODS}c`, remove);
    await cache.mutate(`${PODS}d`, put(`${PODS}d`, '2'));
    await cache.mutate(`${PODS}e`, put(`${PODS}e`, '2'));
    const at = { kind: 'exact', version: first.version } as const;
    const rest = await cache.list({ prefix: PODS, at, limit: 2, afterKey: first.nextAfter ?? '' });
    expect(rest.objects.map(show)).toEqual(['c=1@5', 'd=1@3']);
    expect(rest.nextAfter).toBeUndefined();
    const matches = ({ summary }: { summary: { labels: object } }) => 'no' in summary.labels;
    expect(await cache.list({ prefix: PODS, at: FRESH, limit: 1, matches })).toMatchObject({ objects: [] });
  });

  test('rejects a version above the head after three seconds', async () => {
    const { cache, clock } = aWorld(options);
    const read = cache
      .list({ prefix: PODS, at: { kind: 'notOlderThan', version: 99 }, limit: 0 })
      .catch((e: unknown) => e);
    for (let i = 0; i < 70; i++) {
      await settled();
      clock.advance(50);
    }
    expect(await read).toMatchObject({ code: 'FutureVersion', head: 1 });
  });

  test('expires a continue token after five minutes, and lists a newer version afterwards', async () => {
    const { cache, clock } = aWorld(options);
    await cache.mutate(A, put(A, '1'));
    const at = { kind: 'exact', version: 2, issuedAt: clock.now() } as const;
    clock.advance(299_000);
    expect((await cache.list({ prefix: PODS, at, limit: 0 })).version).toBe(2);
    clock.advance(2_000);
    await expect(cache.list({ prefix: PODS, at, limit: 0 })).rejects.toMatchObject({ code: 'Expired' });
    expect((await cache.list({ prefix: PODS, at: FRESH, limit: 0 })).version).toBe(3);
  });

  test('groups queued mutations into one entry, and applies each to the result of the previous ones', async () => {
    const { cache, calls } = aWorld(options);
    await cache.mutate(A, put(A, ''));
    const boom = () => {
      throw new TypeError('mine alone');
    };
    const running = [cache.mutate(A, add(A, '1')), cache.mutate(B, boom).catch((e: Error) => e.message)];
    running.push(cache.mutate(A, add(A, '2')), cache.mutate(B, put(B, 'b')), cache.mutate(A, add(A, '3')));
    await Promise.all(running);
    expect(await running[1]).toBe('mine alone');
    expect(show(await cache.get(A, FRESH))).toMatch(/^a=123@/);
    expect(calls.filter((call) => call.startsWith('append')).length).toBeLessThanOrEqual(3);
  });

  test('sends a watcher each change once, in order, including earlier ones', async () => {
    const { cache, inner } = aWorld(options);
    await cache.mutate(A, put(A, '1'));
    await inner.compact();
    const all = watching(cache);
    const one = watching(cache, { key: B });
    await settled();
    await cache.mutate(B, put(B, '1'));
    await cache.mutate(A, remove);
    await settled();
    expect(all.seen).toEqual(['ADDED a=1@2', 'ADDED b=1@3', 'DELETED a=1@4']);
    expect(one.seen).toEqual(['ADDED b=1@3']);
    all.abort.abort();
    one.abort.abort();
    expect(await Promise.all([all.done, one.done])).toEqual(['ended', 'ended']);
  });

  test('holds a watch from a future version until that version, without earlier bookmarks', async () => {
    const { cache, clock } = aWorld(options);
    await cache.mutate(A, put(A, '1'));
    const { abort, seen, done } = watching(cache, { after: 4, bookmarks: true });
    for (let i = 0; i < 3; i++) {
      await settled();
      clock.advance(31_000);
    }
    for (const value of ['2', '3', '4', '5']) await cache.mutate(A, put(A, value));
    await settled();
    expect(seen).toEqual(['MODIFIED a=4@5', 'MODIFIED a=5@6']);
    abort.abort();
    expect(await done).toBe('ended');
  });

  test('ends a watch of a compacted version with Expired', async () => {
    const { cache, inner, clock } = aWorld(options);
    await cache.mutate(A, put(A, '1'));
    await cache.mutate(A, put(A, '2'));
    clock.advance(RETENTION + 1);
    await cache.mutate(A, put(A, '3'));
    await inner.compact();
    clock.advance(360_000);
    await cache.mutate(B, put(B, '1'));
    expect(await watching(cache).done).toBe('Expired');
  });

  test('sends bookmarks every 30 seconds and at the end', async () => {
    const { cache, clock } = aWorld(options);
    const { abort, seen, done } = watching(cache, { bookmarks: true });
    await settled();
    clock.advance(30_000);
    await settled();
    await cache.mutate(A, put(A, '1'));
    await settled();
    abort.abort();
    await done;
    expect(seen).toEqual(['BOOKMARK 1', 'ADDED a=1@2', 'BOOKMARK 2']);
  });

  test('ends a watch that returns while it waits', async () => {
    const { cache, clock, calls } = aWorld(options);
    const { stream } = watching(cache, { bookmarks: true });
    await settled();
    await stream.return?.();
    const before = calls.length;
    clock.advance(60_000);
    await settled();
    expect(calls.length).toBe(before);
  });

  test.each(['head', 'readLog', 'snapshot'] as const)(
    'rejects a watch that waits for its %s when the cache closes',
    async (call) => {
      const { open, inner } = aWorld(options);
      const gate = Promise.withResolvers<void>();
      let waits = 0;
      const held = <T>(method: () => Promise<T>): Promise<T> => ((waits += 1), gate.promise.then(method));
      const slow: Partial<Sequence> = {
        head: () => held(() => inner.head()),
        readLog: (...of) => held(() => inner.readLog(...of)),
        snapshot: (of) => held(() => inner.snapshot(of)),
      };
      const sequence = overriding(inner, { [call]: slow[call] });
      const cache = open({ sequence });
      const { done, abort } = watching(cache);
      await settled();
      cache.close();
      gate.resolve();
      await settled();
      abort.abort(); // without a delay, the watch has already ended normally
      expect(await done).toBe(waits > 0 ? 'Closed' : 'ended');
    },
  );

  test('ends a watcher with a backlog of 4 MB', async () => {
    const { cache } = aWorld(options);
    const abort = new AbortController();
    const slow = cache.watch({ prefix: PODS, after: 1, bookmarks: false, signal: abort.signal });
    const first = slow[Symbol.asyncIterator]().next();
    await settled();
    for (let i = 0; i < 6; i++) await cache.mutate(A, put(A, 'x'.repeat(1_000_000)));
    expect((await first).done).toBe(false);
    expect((await slow.next()).done).toBe(true);
  });
});

describe('sequence calls of a resource cache', () => {
  test('makes none for reads while it is the only writer', async () => {
    const { cache, calls } = aWorld({ exclusive: true });
    await cache.mutate(A, put(A, '1'));
    calls.length = 0;
    await cache.get(A, FRESH);
    await cache.list({ prefix: PODS, at: FRESH, limit: 0 });
    expect(calls).toEqual([]);
  });

  test('makes one tail query for all waiting reads, and another for those that arrive during it', async () => {
    const { cache, calls } = aWorld();
    await cache.list({ prefix: PODS, at: FRESH, limit: 0 });
    calls.length = 0;
    await Promise.all(Array.from({ length: 20 }, () => cache.get(A, FRESH)));
    expect(calls.length).toBe(2);
  });

  test('makes none for reads of kind any within five seconds', async () => {
    const { cache, calls, clock } = aWorld();
    await cache.list({ prefix: PODS, at: FRESH, limit: 0 });
    calls.length = 0;
    clock.advance(4_900);
    await cache.get(A, { kind: 'any' });
    expect(calls).toEqual([]);
    clock.advance(200);
    await cache.get(A, { kind: 'any' });
    expect(calls).toEqual(['readLog']);
  });

  test('appends no entry for an unchanged object', async () => {
    const { cache, calls } = aWorld();
    expect(await cache.mutate(A, () => ({ action: 'keep', result: 'as is' }))).toEqual({ result: 'as is' });
    expect(calls.filter((call) => call.startsWith('append'))).toEqual([]);
  });

  test('makes none at all without watches', async () => {
    const { cache, calls, clock } = aWorld();
    await cache.list({ prefix: PODS, at: FRESH, limit: 0 });
    calls.length = 0;
    for (let i = 0; i < 100; i++) {
      clock.advance(1_000);
      await settled();
    }
    expect(calls).toEqual([]);
  });
});

describe('a mutation of a resource cache', () => {
  test('runs again on the result of another process', async () => {
    const { cache, open } = aWorld();
    const other = open();
    await cache.mutate(A, put(A, '1'));
    await other.mutate(A, add(A, '2'));
    expect(show((await cache.mutate(A, add(A, '3'))).stored)).toBe('a=123@4');
  });

  test('ignores an error on an outdated state', async () => {
    const { cache, open } = aWorld();
    await cache.list({ prefix: PODS, at: FRESH, limit: 0 });
    await open().mutate(A, put(A, '1'));
    const needed = cache.mutate(A, (current) => {
      if (current === undefined) throw new TypeError('not there');
      return remove();
    });
    expect(await needed).toMatchObject({ result: 'gone' });
  });

  test.each([
    ['young', 1_000, false],
    ['older than half the retention', RETENTION / 2 + 1_000, true],
  ])('carries the previous body if it is %s', async (_, age, carries) => {
    const { cache, clock, inner } = aWorld();
    await cache.mutate(A, put(A, '1', { l: '1' }));
    clock.advance(age);
    await cache.mutate(A, put(A, '2'));
    const { changes } = await inner.readLog(2, { limit: 9, consistent: true });
    expect(changes[0]?.previous).toMatchObject({ version: 2, labels: { l: '1' } });
    expect(changes[0]?.previousBody !== undefined).toBe(carries);
  });

  test('accepts a body at the size limit, and rejects a larger one for its caller only', async () => {
    const { cache } = aWorld({ exclusive: true });
    const room = 1_572_864 - aBody('a').length - 1;
    expect((await cache.mutate(A, put(A, 'x'.repeat(room)))).stored?.body.length).toBe(1_572_864);
    const running = [cache.mutate(B, put(B, '1')), cache.mutate(A, put(A, 'x'.repeat(room + 1)))];
    const [fine, large] = await Promise.allSettled(running);
    expect(fine?.status).toBe('fulfilled');
    expect(large).toMatchObject({ status: 'rejected', reason: { code: 'TooLarge' } });
  });

  test('is rejected if thousands are queued, and after close', async () => {
    const { cache } = aWorld({ exclusive: true });
    await cache.head();
    const running = Array.from({ length: 5_100 }, () => cache.mutate(A, put(A, '1')));
    const codes = (await Promise.allSettled(running)).filter(({ status }) => status === 'rejected');
    expect(codes).not.toHaveLength(0);
    expect(codes[0]).toMatchObject({ reason: { code: 'Overloaded' } });
    cache.close();
    await expect(cache.mutate(A, put(A, '1'))).rejects.toMatchObject({ code: 'Closed' });
  });
});

test('evicts a cache that was unused for a minute for another one', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock, retention: RETENTION });
  const budget = new ByteBudget(3_000_000, clock);
  const open = (name: string) =>
    new ResourceCache({ sequence: store.sequence(name), clock, summarize, budget, exclusive: true });
  const [one, two] = [open('one'), open('two')];
  await one.mutate(A, put(A, 'x'.repeat(1_000_000)));
  await two.mutate(A, put(A, 'y'.repeat(1_000_000)));
  clock.advance(61_000);
  await two.mutate(B, put(B, 'y'.repeat(1_500_000)));
  expect(budget.used).toBeLessThan(3_000_000);
  expect((await one.get(A, FRESH))?.body.length).toBeGreaterThan(1_000_000);
  expect((await two.list({ prefix: PODS, at: FRESH, limit: 0 })).objects).toHaveLength(2);
});

describe.each(MODES)('a list by a field in a resource cache %s', (_, options) => {
  const byText = (value: string, more: { prefix?: string } = {}) =>
    ({ prefix: PODS, at: FRESH, limit: 0, where: { field: 'text', value }, ...more }) as const;

  test('contains the objects that have the value at that time', async () => {
    const { cache } = aWorld(options);
    const names = async (value: string, more = {}) => (await cache.list(byText(value, more))).objects.map(show);
    const paint = (key: string, colour: string) => cache.mutate(key, put(key, colour));
    await paint(B, 'red');
    await paint(A, 'red');
    expect(await names('red')).toEqual(['a=red@3', 'b=red@2']);
    await paint(A, 'blue');
    await paint(`${PODS}other/c`, 'red');
    expect(await names('red')).toEqual(['b=red@2', 'c=red@5']);
    expect(await names('red', { prefix: `${PODS}other/` })).toEqual(['c=red@5']);
    await cache.mutate(B, remove);
    expect([await names('red'), await names('blue'), await names('green')]).toEqual([['c=red@5'], ['a=blue@4'], []]);
  });
});

test('indexes a frequently selected label, unless most objects have the value', async () => {
  const { cache } = aWorld({ exclusive: true });
  for (let i = 0; i < 20; i++) {
    const key = `${PODS}default/${i}`;
    await cache.mutate(
      key,
      put(key, 'x', { app: `a${i % 10}`, tier: 'one', ...(i === 0 ? { constructor: 'c' } : {}) }),
    );
  }
  const look = async (label: string, value: string, limit = 0) => {
    let looked = 0;
    const matches = () => (looked++, true);
    const { objects } = await cache.list({ prefix: PODS, at: FRESH, limit, matches, where: { label, value } });
    return [objects.length, looked];
  };
  for (let i = 0; i < 2; i++) expect(await look('app', 'a3')).toEqual([2, 2]);
  await cache.mutate(`${PODS}default/3`, put(`${PODS}default/3`, 'x', { app: 'a4' }));
  expect(await look('app', 'a3')).toEqual([1, 1]);
  expect(await look('app', 'a4')).toEqual([3, 3]);
  for (const label of ['tier', 'tier', 'tier', 'tier']) expect((await look(label, 'one'))[0]).toBe(19);
  for (const label of ['constructor', 'constructor', 'constructor']) expect((await look(label, 'c'))[0]).toBe(1);
  expect(
    (await cache.list({ prefix: PODS, at: FRESH, limit: 1, where: { label: 'app', value: 'a5' } })).nextAfter,
  ).toBeDefined();
  const { batches } = await cache.stream({ prefix: PODS, at: FRESH, where: { label: 'app', value: 'a4' } });
  expect((await Array.fromAsync(batches)).flat()).toHaveLength(3);
});

test('reads no other objects for a list by a field if the state is in memory', async () => {
  const { cache } = aWorld({ exclusive: true });
  for (let i = 0; i < 20; i++) await cache.mutate(`${PODS}default/${i}`, put(`${PODS}default/${i}`, `c${i % 10}`));
  let looked = 0;
  const matches = () => (looked++, true);
  const where = { field: 'text', value: 'c3' };
  const { objects } = await cache.list({ prefix: PODS, at: FRESH, limit: 0, matches, where });
  expect([objects.length, looked]).toEqual([2, 2]);
});
