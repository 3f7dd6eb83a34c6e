import { describe, expect, test } from 'vitest';
import { aProposal, CONFIG_MAPS, RETENTION, World } from '#test/support/stream/world.ts';
import { replayDeadLetters, replayLog } from './replay.ts';
import { byKeys } from './request-consumer.ts';

const versions = (world: World) => world.bus.taken.splice(0).map(({ resourceVersion }) => Number(resourceVersion));

async function rungWorld(world: World): Promise<World> {
  await world.write(['a', 'b', 'c'].map((name) => aProposal(name)));
  await world.doorbell().ring([CONFIG_MAPS]);
  return world;
}

const replaying = (world: World, consumer: 0 | 1 = 0) => ({
  store: world.store,
  consumer: world.consumers()[consumer],
  deadLetters: world.deadLetters,
  now: () => world.clock.now(),
});

describe('a replay of a log', () => {
  test.each([
    [0, [2, 3, 4]],
    [1, [2, 3, 4]],
    [3, [3, 4]],
    [5, []],
  ])('delivers the changes from %i on again and moves no cursor', async (from, expected) => {
    const world = await rungWorld(new World());
    expect(versions(world)).toEqual([2, 3, 4]);
    expect(await replayLog(CONFIG_MAPS, from, replaying(world))).toEqual({ delivered: expected.length, refused: [] });
    expect(versions(world)).toEqual(expected);
    expect(await world.store.sequence(CONFIG_MAPS).marks.cursor('events')).toBe(4);
  });

  test('delivers only to the given consumer', async () => {
    const world = await rungWorld(new World());
    versions(world);
    world.queue.taken.splice(0);
    await replayLog(CONFIG_MAPS, 4, replaying(world, 1));
    expect(world.queue.taken.map(({ name }) => name)).toEqual(['c']);
    expect(versions(world)).toEqual([]);
  });

  test('makes dead letters of rejected entries', async () => {
    const world = await rungWorld(new World({ onEvent: ({ name }) => (name === 'b' ? { refused: 'no' } : 'taken') }));
    const { delivered, refused } = await replayLog(CONFIG_MAPS, 0, replaying(world));
    expect({ delivered, refused }).toMatchObject({ delivered: 2, refused: [{ version: 3, reason: 'no' }] });
    expect(await world.deadLettersOf('events')).toHaveLength(1);
  });

  test('throws Expired for dropped entries', async () => {
    const world = await rungWorld(new World());
    world.clock.advance(2 * RETENTION);
    await world.doorbell().ring([CONFIG_MAPS]);
    await expect(replayLog(CONFIG_MAPS, 2, replaying(world))).rejects.toMatchObject({ code: 'Expired' });
  });
});

describe('a replay of dead letters', () => {
  test('delivers those that are now accepted, and keeps the others', async () => {
    const bad = new Set(['a', 'b']);
    const world = await rungWorld(new World({ onEvent: ({ name }) => (bad.has(name) ? { refused: 'no' } : 'taken') }));
    versions(world);
    bad.delete('a');
    world.clock.advance(2 * RETENTION);
    await world.doorbell().ring([CONFIG_MAPS]);
    expect(await replayDeadLetters(replaying(world))).toEqual({
      delivered: 1,
      refused: [{ version: 3, reason: 'no' }],
    });
    expect(versions(world)).toEqual([2]);
    expect((await world.deadLettersOf('events')).map(({ version }) => version)).toEqual([3]);
  });

  test('rebuilds entries from the log while it has the change', async () => {
    let broken = true;
    const keys = ({ name }: { name: string }) => {
      if (broken) throw new TypeError('broken');
      return [name];
    };
    const world = await rungWorld(new World({ reconcilers: [byKeys({ name: 'mended', keys })] }));
    expect(await world.deadLettersOf('requests')).toHaveLength(3);
    broken = false;
    expect(await replayDeadLetters(replaying(world, 1))).toEqual({ delivered: 3, refused: [] });
    expect(world.queue.taken.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(await world.deadLettersOf('requests')).toEqual([]);
  });

  test('reports those that cannot be rebuilt', async () => {
    const world = await rungWorld(new World());
    versions(world);
    const at = world.clock.now();
    await world.deadLetters.put({ consumer: 'events', sequence: CONFIG_MAPS, version: 2, key: 'k', reason: 'r', at });
    world.clock.advance(2 * RETENTION);
    await world.doorbell().ring([CONFIG_MAPS]);
    const { refused } = await replayDeadLetters(replaying(world));
    expect(refused).toEqual([{ version: 2, reason: 'nothing could be made of it, and the log no longer has it' }]);
  });

  test('keeps dead letters that this program does not understand', async () => {
    const world = new World();
    const at = world.clock.now();
    const deadLetter = {
      consumer: 'requests',
      sequence: CONFIG_MAPS,
      version: 2,
      key: 'k',
      reason: 'r',
      at,
      entry: '{"x":1}',
    };
    await world.deadLetters.put(deadLetter);
    const { refused } = await replayDeadLetters(replaying(world, 1));
    expect(refused).toEqual([{ version: 2, reason: expect.stringContaining('no message') as string }]);
    expect(await world.deadLettersOf('requests')).toEqual([deadLetter]);
  });
});
