import { describe, expect, test } from 'vitest';
import { ManualClock } from '../memory/manual-clock.ts';
import { MemoryStore } from '../memory/store.ts';
import { ByteBudget } from './budget.ts';
import { put, remove, show, summarize } from './builders.ts';
import { ResourceCache } from './resource-cache.ts';
import { each } from './view.ts';

const PODS = 'main//pods/';
const FRESH = { kind: 'fresh' } as const;
const name = (i: number): string => `${PODS}default/${String(i).padStart(4, '0')}`;

async function aWorld(objects: number, bytes: number) {
  const clock = new ManualClock();
  const sequence = new MemoryStore({ clock, retention: 3_600_000 }).sequence('pods');
  const writer = new ResourceCache({ sequence, clock, summarize });
  await Promise.all(Array.from({ length: objects }, (_, i) => writer.mutate(name(i), put(name(i), 'old'))));
  const cache = new ResourceCache({ sequence, clock, summarize, budget: new ByteBudget(bytes, clock) });
  return { clock, sequence, writer, cache };
}

describe('a list of a sequence that is not in memory', () => {
  test.each([
    ['checkpointed', true],
    ['in the log', false],
  ])('has one version while objects that are %s are overwritten', async (_, folded) => {
    const { sequence, writer, cache } = await aWorld(1_300, 1);
    if (folded) await sequence.compact();
    const { version, batches } = await cache.stream({ prefix: PODS, at: FRESH });
    const found: string[] = [];
    let turn = 0;
    for await (const object of each(batches)) {
      found.push(object.key);
      expect(show(object)).toContain('=old@');
      expect(object.version).toBeLessThanOrEqual(version);
      if (found.length % 400 !== 10) continue;
      turn++;
      const running = [writer.mutate(name(600 + turn), remove), writer.mutate(name(1_290 + turn), remove)];
      running.push(writer.mutate(name(700 + turn), put(name(700 + turn), 'new')));
      running.push(writer.mutate(`${name(800)}-${turn}`, put(`${name(800)}-${turn}`, 'new')));
      await Promise.all(running);
      await sequence.compact();
    }
    expect(found).toEqual(Array.from({ length: 1_300 }, (__, i) => name(i)));
  });

  test('continues after a key, and stops reading when its reader stops', async () => {
    const { cache } = await aWorld(20, 1);
    const { batches } = await cache.stream({ prefix: PODS, at: FRESH, afterKey: name(16) });
    const rest: string[] = [];
    for await (const object of each(batches)) rest.push(object.key);
    expect(rest).toEqual([name(17), name(18), name(19)]);
    const page = await cache.list({ prefix: PODS, at: FRESH, limit: 2, afterKey: name(3) });
    expect(page.objects.map(({ key }) => key)).toEqual([name(4), name(5)]);
    expect(page.nextAfter).toBe(name(5));
  });

  test('is rebuilt from the log if the undo ring has dropped its version', async () => {
    const { clock, writer, cache } = await aWorld(3, 10_000_000);
    const { version } = await cache.list({ prefix: PODS, at: FRESH, limit: 0 });
    await cache.mutate(name(0), remove);
    await cache.mutate(name(1), put(name(1), 'new'));
    clock.advance(6 * 60_000);
    await writer.mutate(name(2), put(name(2), 'new'));
    expect((await cache.list({ prefix: PODS, at: FRESH, limit: 0 })).objects.map(show)).toEqual([
      expect.stringContaining('0001=new'),
      expect.stringContaining('0002=new'),
    ]);
    const past = await cache.list({ prefix: PODS, at: { kind: 'exact', version }, limit: 0 });
    expect(past.objects.map((object) => show(object)?.slice(0, 8))).toEqual(['0000=old', '0001=old', '0002=old']);
  });
});
