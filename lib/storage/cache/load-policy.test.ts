import { describe, expect, test } from 'vitest';
import { ManualClock } from '../memory/manual-clock.ts';
import { MemoryStore } from '../memory/store.ts';
import { overriding, put, remove, summarize } from './builders.ts';
import { type Loads, useOf } from './load-policy.ts';
import { ResourceCache } from './resource-cache.ts';

const PODS = 'main//pods/';
const FRESH = { kind: 'fresh' } as const;
const name = (i: number): string => `${PODS}ns${i % 10}/${String(i).padStart(4, '0')}`;

/** A cache that loads sparingly, over objects of 200 bytes and more, and the entries that it read from the store's state. */
async function aWorld(objects: number, loads: Loads = 'sparingly') {
  const clock = new ManualClock();
  const sequence = new MemoryStore({ clock, retention: 3_600_000 }).sequence('pods');
  const writer = new ResourceCache({ sequence, clock, summarize });
  const text = 'x'.repeat(200);
  await Promise.all(Array.from({ length: objects }, (_, i) => writer.mutate(name(i), put(name(i), text))));
  await sequence.compact();
  const counts = { entries: 0, points: 0 };
  const reads: number[] = [];
  const counted = overriding(sequence, {
    readLog: (after, options) => {
      reads.push(after);
      return sequence.readLog(after, options);
    },
    read: (key) => {
      counts.points++;
      return sequence.read(key);
    },
    snapshot: async (options) => {
      const { from, entries } = await sequence.snapshot(options);
      async function* counting() {
        for await (const entry of entries) {
          counts.entries++;
          yield entry;
        }
      }
      return { from, entries: counting() };
    },
  });
  return {
    clock,
    writer,
    compact: () => sequence.compact(),
    counts,
    reads,
    cache: new ResourceCache({ sequence: counted, clock, summarize, loads }),
  };
}

describe('a cache that loads sparingly', () => {
  test('reads single keys of a large type one by one, after one bounded read', async () => {
    const { cache, counts } = await aWorld(2_000);
    for (let i = 0; i < 50; i++) expect((await cache.get(name(i), FRESH))?.key).toBe(name(i));
    expect(counts.points).toBe(50);
    expect(counts.entries).toBeLessThan(250);
  });

  test('reads single keys of heartbeats from memory, up to a larger size', async () => {
    const { cache, counts } = await aWorld(2_000, 'as heartbeats');
    for (let i = 0; i < 50; i++) expect((await cache.get(name(i), FRESH))?.key).toBe(name(i));
    expect(counts).toEqual({ points: 2, entries: 2_000 });
  });

  test('goes cold after more changes than it holds objects, and loads again after twice as many reads', async () => {
    const { cache, writer, compact, counts, reads } = await aWorld(20);
    const get = async (i: number) => (await cache.get(name(i), FRESH))?.body;
    const points = async (): Promise<number> => {
      const before = counts.points;
      for (let i = 0; i < 10; i++) await get(i);
      return counts.points - before;
    };
    expect(await points()).toBe(2);
    for (let round = 0; round < 150; round++)
      await Promise.all(Array.from({ length: 20 }, (_, i) => writer.mutate(name(i), put(name(i), `${round}`))));
    await compact();
    reads.length = 0;
    const written = (await writer.get(name(3), FRESH))?.body;
    expect(await get(3)).toEqual(written);
    // One page of the log, not three, plus the cost of reading one key.
    expect(reads.length).toBeLessThanOrEqual(3);
    expect(counts.points).toBe(3);
    expect(await points()).toBe(5);
    expect(await get(3)).toEqual(written);
  });

  test('accepts a write after more changes than it holds objects', async () => {
    const { cache, writer, clock } = await aWorld(20);
    for (let i = 0; i < 5; i++) await cache.get(name(i), FRESH);
    for (let round = 0; round < 150; round++)
      await Promise.all(Array.from({ length: 20 }, (_, i) => writer.mutate(name(i), put(name(i), `${round}`))));
    clock.advance(60_000);
    const { stored } = await cache.mutate(name(3), put(name(3), 'mine'));
    expect((await writer.get(name(3), FRESH))?.version).toBe(stored?.version);
  });

  test('follows any number of changes for its watchers', async () => {
    const { cache, writer } = await aWorld(20);
    for (let i = 0; i < 5; i++) await cache.get(name(i), FRESH);
    const after = await cache.head();
    const watch = cache.watch({ prefix: PODS, after, signal: new AbortController().signal, bookmarks: false });
    const first = watch.next();
    for (let round = 0; round < 150; round++)
      await Promise.all(Array.from({ length: 20 }, (_, i) => writer.mutate(name(i), put(name(i), `${round}`))));
    await cache.get(name(3), FRESH);
    expect(await first).toMatchObject({ value: { type: 'MODIFIED' } });
    for (let i = 1; i < 3_000; i++) expect(await watch.next()).toMatchObject({ value: { type: 'MODIFIED' } });
    await watch.return();
  });

  test('checks the size of a type again after ten minutes', async () => {
    const { clock, cache, counts } = await aWorld(2_000);
    for (let i = 0; i < 3; i++) await cache.get(name(i), FRESH);
    const looked = counts.entries;
    clock.advance(599_000);
    await cache.get(name(4), FRESH);
    expect(counts.entries).toBe(looked);
    clock.advance(2_000);
    await cache.get(name(5), FRESH);
    expect(counts.entries).toBe(2 * looked);
  });

  test('loads a small type on the third read', async () => {
    const { cache, counts } = await aWorld(50);
    for (let i = 0; i < 20; i++) await cache.get(name(i), FRESH);
    expect(counts).toEqual({ points: 2, entries: 50 });
  });

  test('reads only the objects of one namespace', async () => {
    const { cache, counts } = await aWorld(2_000);
    expect((await cache.list({ prefix: `${PODS}ns3/`, at: FRESH, limit: 0 })).objects).toHaveLength(200);
    expect(counts.entries).toBe(200);
  });

  test('reads a page of a large type without the number of remaining objects', async () => {
    const { cache, counts } = await aWorld(5_000);
    const page = await cache.list({ prefix: PODS, at: FRESH, limit: 10 });
    expect(page.objects).toHaveLength(10);
    expect(page.remaining).toBeUndefined();
    const looked = counts.entries;
    const { nextAfter: afterKey = '', version } = page;
    await cache.list({ prefix: PODS, at: { kind: 'exact', version }, limit: 10, afterKey });
    expect(counts.entries - looked).toBeLessThanOrEqual(12);
  });

  test('returns the number of remaining objects of a page if they are few', async () => {
    const { cache } = await aWorld(400);
    expect((await cache.list({ prefix: PODS, at: FRESH, limit: 100 })).remaining).toBe(300);
  });

  test('loads on the second list of a whole type, and on a watch', async () => {
    const { cache, counts } = await aWorld(1_000);
    for (const entries of [1_000, 2_000, 2_000]) {
      const { batches } = await cache.stream({ prefix: PODS, at: FRESH });
      expect((await Array.fromAsync(batches)).flat()).toHaveLength(1_000);
      expect(counts.entries).toBe(entries);
    }
    const other = await aWorld(1_000);
    const { signal } = new AbortController();
    const watch = other.cache.watch({ prefix: PODS, after: await other.cache.head(), signal, bookmarks: false });
    const event = watch.next();
    await other.cache.get(name(1), FRESH);
    await other.cache.mutate(name(1), put(name(1), 'new'));
    expect(await event).toMatchObject({ value: { type: 'MODIFIED' } });
    expect(other.counts.entries).toBe(1_000);
    await watch.return();
  });
});

describe('a watch of objects with one value, in a cache that loads sparingly', () => {
  const where = { field: 'text', value: 'mine' };
  const aWatch = async () => {
    const world = await aWorld(1_000);
    const { cache, writer } = world;
    await writer.mutate(name(1), put(name(1), 'mine'));
    const { signal } = new AbortController();
    return {
      ...world,
      watch: cache.watch({ prefix: PODS, where, after: await cache.head(), signal, bookmarks: false }),
    };
  };

  test('reads no other objects, and no states before their changes', async () => {
    const { cache, writer, counts, reads, watch } = await aWatch();
    const event = watch.next();
    await cache.head();
    const before = reads.length;
    for (let i = 10; i < 20; i++) {
      await writer.mutate(name(i), put(name(i), 'theirs'));
      await cache.head();
    }
    expect(reads.length - before).toBe(10);
    await writer.mutate(name(1), put(name(1), 'theirs'));
    await cache.head();
    expect(reads.length - before).toBe(12); // the second event includes the previous state
    expect(await event).toMatchObject({
      value: { type: 'MODIFIED', previous: { summary: { fields: { text: 'mine' } } } },
    });
    expect(counts).toEqual({ entries: 0, points: 0 });
    await watch.return();
  });

  test('reports objects that are added, changed and deleted, from the past on', async () => {
    const { cache, writer, counts, watch } = await aWatch();
    await writer.mutate(name(2), put(name(2), 'mine'));
    await writer.mutate(name(3), put(name(3), 'theirs'));
    await writer.mutate(name(4), remove);
    await writer.mutate(name(1), remove);
    await writer.mutate(name(2), put(name(2), 'theirs'));
    expect(await cache.head()).toBe(1_007);
    const seen: unknown[] = [];
    for (let i = 0; i < 3; i++) {
      const { value } = await watch.next();
      if (value?.type !== 'BOOKMARK')
        seen.push([value?.type, value?.object.key, value?.previous?.summary.fields['text']]);
    }
    expect(seen).toEqual([
      ['MODIFIED', name(2), 'x'.repeat(200)],
      ['DELETED', name(1), 'mine'],
      ['MODIFIED', name(2), 'mine'],
    ]);
    expect(counts).toEqual({ entries: 0, points: 0 });
    await watch.return();
  });

  test('also loads nothing for a single key', async () => {
    const { cache, writer, counts } = await aWorld(1_000);
    const { signal } = new AbortController();
    const watch = cache.watch({ prefix: name(1), key: name(1), after: await cache.head(), signal, bookmarks: false });
    const event = watch.next();
    await cache.head();
    await writer.mutate(name(1), remove);
    await cache.head();
    expect(await event).toMatchObject({ value: { type: 'DELETED', object: { key: name(1) } } });
    expect(counts).toEqual({ entries: 0, points: 0 });
    await watch.return();
  });
});

test('treats a list without a limit as a whole type if its prefix has no namespace', () => {
  expect(useOf({ prefix: PODS })).toBe('type');
  expect(useOf({ prefix: PODS, limit: 5 })).toBe('range');
  expect(useOf({ prefix: `${PODS}ns1/`, limit: 0 })).toBe('range');
  expect(useOf({ prefix: PODS, where: { label: 'app', value: 'a' } })).toBe('type');
  expect(useOf({ prefix: PODS, where: { field: 'spec.nodeName', value: 'a' } })).toBe('indexed');
});
