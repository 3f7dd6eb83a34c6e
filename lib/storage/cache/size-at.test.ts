import { describe, expect, test } from 'vitest';
import { ManualClock } from '../memory/manual-clock.ts';
import { MemoryStore } from '../memory/store.ts';
import type { ListRequest, StoredObject } from '../storage.ts';
import { overriding, put, remove, summarize } from './builders.ts';
import { ResourceCache } from './resource-cache.ts';

const PODS = 'main//pods/';
const FRESH = { kind: 'fresh' } as const;
const name = (i: number): string => `${PODS}ns${i % 2}/${i}`;
const total = (objects: readonly StoredObject[]) => ({
  objects: objects.length,
  bytes: objects.reduce((sum, { body }) => sum + body.length, 0),
});

/** A writer and an empty cache for a sequence of six objects, and a counter of extent requests. */
async function aWorld() {
  const clock = new ManualClock();
  const sequence = new MemoryStore({ clock, retention: 3_600_000 }).sequence('pods');
  const writer = new ResourceCache({ sequence, clock, summarize });
  for (let i = 0; i < 6; i++) await writer.mutate(name(i), put(name(i), 'x'.repeat(100 * i)));
  await sequence.compact();
  const asked: string[] = [];
  const watched = overriding(sequence, {
    extent: (prefix) => {
      asked.push(prefix);
      return sequence.extent(prefix);
    },
  });
  const cache = new ResourceCache({ sequence: watched, clock, summarize, loads: 'sparingly' });
  const stream = (request: Partial<ListRequest> = {}) => cache.stream({ prefix: PODS, at: FRESH, ...request });
  return { sequence, writer, asked, stream };
}

describe('the size of a list', () => {
  test.each([PODS, `${PODS}ns1/`])(
    'under %s equals the extent of the state, which is read only on demand',
    async (prefix) => {
      const { stream, asked } = await aWorld();
      const { batches, size } = await stream({ prefix });
      const objects = (await Array.fromAsync(batches)).flat();
      expect(asked).toEqual([]);
      expect(await size?.()).toEqual(total(objects));
      expect(asked).toEqual([prefix]);
    },
  );

  test('includes what the log adds to the state', async () => {
    const { stream, writer } = await aWorld();
    await writer.mutate(name(6), put(name(6), 'y'.repeat(5_000)));
    await writer.mutate(name(0), put(name(0), 'z'.repeat(9_000)));
    await writer.mutate(name(5), remove);
    const { batches, size } = await stream();
    const { objects, bytes } = total((await Array.fromAsync(batches)).flat());
    const told = await size?.();
    expect(told?.objects).toBeGreaterThanOrEqual(objects);
    expect(told?.objects).toBeLessThanOrEqual(objects + 2);
    expect(told?.bytes).toBeGreaterThanOrEqual(bytes);
    expect(told?.bytes).toBeLessThan(bytes + 1_000);
  });

  test('belongs to its version: later changes, folded or not, do not shrink it', async () => {
    const { stream, writer, sequence } = await aWorld();
    const { batches, size } = await stream();
    for (let i = 0; i < 4; i++) await writer.mutate(name(i), remove);
    await writer.mutate(name(5), put(name(5), ''));
    await sequence.compact();
    await writer.mutate(name(4), put(name(4), ''));
    const { objects, bytes } = total((await Array.fromAsync(batches)).flat());
    const told = await size?.();
    expect(told?.objects).toBeGreaterThanOrEqual(objects);
    expect(told?.bytes).toBeGreaterThanOrEqual(bytes);
  });

  test('is known if the list is in memory, and a selector takes only a part of it', async () => {
    const { stream, asked } = await aWorld();
    await stream(); // the second list of a whole type loads the sequence
    const { batches, size } = await stream();
    expect(await size?.()).toEqual(total((await Array.fromAsync(batches)).flat()));
    const some = await stream({ matches: ({ key }) => key === name(3) });
    expect(await some.size?.()).toMatchObject({ objects: 6 });
    expect(asked).toEqual([]);
  });

  test('ignores a selector, and is absent for one that an index may serve', async () => {
    const { stream } = await aWorld();
    const some = await stream({ matches: ({ key }) => key === name(3) });
    expect(await some.size?.()).toMatchObject({ objects: 6 });
    expect((await stream({ where: { field: 'text', value: 'x' } })).size).toBeUndefined();
    expect((await stream({ where: { label: 'app', value: 'x' } })).size).toBeDefined();
  });

  test('is unknown if the store does not report it', async () => {
    const { sequence } = await aWorld();
    const silent = overriding(sequence, { extent: async () => undefined });
    const cache = new ResourceCache({ sequence: silent, clock: new ManualClock(), summarize, loads: 'sparingly' });
    const { size } = await cache.stream({ prefix: PODS, at: FRESH });
    expect(size).toBeDefined();
    expect(await size?.()).toBeUndefined();
  });
});
