import { describe, expect, test, vi } from 'vitest';
import { StoreError } from '#lib/storage/errors.ts';
import { aBody, aProposal, CONFIG_MAPS, RETENTION, World } from '#test/support/stream/world.ts';
import { byKeys } from './request-consumer.ts';

const WHOLE = { finished: true };
const ring = (world: World, names = [CONFIG_MAPS]) => world.doorbell().ring(names);
const versions = (world: World) => world.bus.taken.map(({ resourceVersion }) => Number(resourceVersion));
const out = () => {
  throw new StoreError('Unavailable', 'the bus is out');
};

describe('the doorbell function', () => {
  test('delivers new changes once, and nothing without changes', async () => {
    const world = new World();
    await world.write([aProposal('a'), aProposal('b'), aProposal('a', 'MODIFIED')]);
    expect(await ring(world)).toMatchObject([{ sequence: CONFIG_MAPS, lag: 0, faults: [] }]);
    expect(versions(world)).toEqual([2, 3, 4]);
    expect(world.queue.taken.map(({ name, version }) => `${name}@${version}`)).toEqual(['a@4', 'b@3']);
    await ring(world, [CONFIG_MAPS, CONFIG_MAPS]);
    expect(versions(world)).toEqual([2, 3, 4]);
  });

  test('rings every existing sequence', async () => {
    const world = new World();
    await world.write([aProposal('a')]);
    await world.write([aProposal('p')], 'main//pods');
    expect((await world.doorbell().ringAll()).map(({ sequence }) => sequence).sort()).toEqual([
      CONFIG_MAPS,
      'main//pods',
    ]);
    expect(world.bus.taken).toHaveLength(2);
  });

  test('reads a long log page by page', async () => {
    const world = new World();
    await world.write(Array.from({ length: 300 }, (_, i) => aProposal(`n${i % 7}`, i < 7 ? 'ADDED' : 'MODIFIED')));
    await ring(world);
    expect(versions(world)).toEqual(Array.from({ length: 300 }, (_, i) => i + 2));
    expect(await world.violations(WHOLE)).toEqual([]);
  });

  test('stops between pages when time is up, and returns the lag', async () => {
    const world = new World();
    await world.write(Array.from({ length: 200 }, (_, i) => aProposal(`n${i}`)));
    let pages = 0;
    const [rung] = await world.doorbell().ring([CONFIG_MAPS], { hasTime: () => (pages += 1) <= 3 });
    expect(rung?.lag).toBeGreaterThan(0);
    expect(rung?.faults).toEqual([]);
    await ring(world);
    expect(await world.violations(WHOLE)).toEqual([]);
  });

  test('folds the log even while events cannot be published', async () => {
    const world = new World({ onEvent: out, onRequest: out });
    await world.write([aProposal('a')]);
    const [rung] = await ring(world);
    expect(rung?.faults).toHaveLength(2);
    expect(rung?.lag).toBe(2);
    expect((await world.store.sequence(CONFIG_MAPS).read(`${CONFIG_MAPS}/default/a`)).item?.version).toBe(2);
  });

  test('delivers requests and other sequences while the bus is down', async () => {
    const world = new World({ onEvent: ({ sequence }) => (sequence === CONFIG_MAPS ? out() : 'taken') });
    await world.write([aProposal('a')]);
    await world.write([aProposal('p')], 'main//pods');
    await ring(world, [CONFIG_MAPS, 'main//pods']);
    expect(world.queue.taken.map(({ name }) => name).sort()).toEqual(['a', 'p']);
    expect(world.bus.taken.map(({ name }) => name)).toEqual(['p']);
  });

  test('delivers everything after a day without the bus, because the log was kept', async () => {
    let isOut = true;
    const world = new World({ onEvent: () => (isOut ? out() : 'taken') });
    for (let hour = 0; hour < 24; hour += 1) {
      await world.write([aProposal(`n${hour % 5}`, hour < 5 ? 'ADDED' : 'MODIFIED')]);
      await ring(world);
      world.clock.advance(RETENTION);
    }
    expect(world.bus.taken).toEqual([]);
    isOut = false;
    await ring(world);
    expect(versions(world)).toEqual(Array.from({ length: 24 }, (_, i) => i + 2));
    expect(await world.violations(WHOLE)).toEqual([]);
    world.clock.advance(2 * RETENTION);
    await ring(world);
    await expect(world.log()).rejects.toMatchObject({ code: 'Expired' });
  });

  test('keeps a log that is never rung until the next ring', async () => {
    const world = new World();
    await world.write([aProposal('a'), aProposal('b'), aProposal('a', 'DELETED'), aProposal('c')]);
    world.clock.advance(3 * RETENTION);
    await ring(world);
    expect(world.bus.taken.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'DELETED', 'ADDED']);
  });

  test('makes a dead letter of a permanently rejected event and continues', async () => {
    const world = new World({ onEvent: ({ name }) => (name === 'bad' ? { refused: 'never' } : 'taken') });
    await world.write([aProposal('a'), aProposal('bad'), aProposal('b')]);
    expect((await ring(world))[0]?.faults).toEqual([]);
    expect(versions(world)).toEqual([2, 4]);
    const deadLetters = await world.deadLettersOf('events');
    expect(deadLetters).toMatchObject([{ sequence: CONFIG_MAPS, version: 3, reason: 'never' }]);
    expect(JSON.parse(deadLetters[0]?.entry ?? '')).toMatchObject({ name: 'bad', resourceVersion: '3' });
  });

  test('makes a dead letter for each reconciler that fails on a change', async () => {
    const keys = () => {
      throw new TypeError('no idea');
    };
    const good = byKeys({ name: 'good', keys: ({ name }) => [name] });
    const world = new World({ reconcilers: [byKeys({ name: 'bad', keys }), good] });
    await world.write([aProposal('a', 'ADDED', { body: Buffer.from('["resourceVersion":"0"') }), aProposal('b')]);
    await ring(world);
    expect(versions(world)).toEqual([3]);
    expect(world.queue.taken.map(({ reconciler, name }) => `${reconciler} ${name}`)).toEqual(['good a', 'good b']);
    expect((await world.deadLettersOf('requests')).map(({ version, reason }) => [version, reason])).toEqual([
      [2, 'bad: TypeError: no idea'],
      [3, 'bad: TypeError: no idea'],
    ]);
    expect((await world.deadLettersOf('events')).map(({ version }) => version)).toEqual([2]);
  });

  test('waits at an entry of a newer program instead of skipping it', async () => {
    const world = new World();
    await world.write([aProposal('a')]);
    const sequence = world.store.sequence(CONFIG_MAPS);
    const readLog = vi.spyOn(sequence, 'readLog').mockRejectedValue(new StoreError('UnknownFormat', 'format 2'));
    expect(await ring(world)).toMatchObject([
      { lag: 2, faults: [{ code: 'UnknownFormat' }, { code: 'UnknownFormat' }] },
    ]);
    expect(await Array.fromAsync(world.deadLetters.all())).toEqual([]);
    readLog.mockRestore();
    expect(await ring(world)).toMatchObject([{ sequence: CONFIG_MAPS, lag: 0, faults: [] }]);
    expect(versions(world)).toEqual([2]);
  });

  test('delivers all objects if the cursor is no longer in the log, and reports it', async () => {
    const world = new World();
    await world.write([aProposal('a'), aProposal('b'), aProposal('a', 'MODIFIED')]);
    await ring(world);
    const { marks } = world.store.sequence(CONFIG_MAPS);
    await world.write([aProposal('c')]);
    for (const reader of ['events', 'requests']) await marks.moveCursor(reader, 4, 5);
    world.clock.advance(2 * RETENTION);
    await world.store.sequence(CONFIG_MAPS).compact();
    for (const reader of ['events', 'requests']) await marks.moveCursor(reader, 5, 1);
    world.bus.taken.splice(0);
    const [rung] = await ring(world);
    expect(rung?.faults).toMatchObject([{ code: 'Expired' }, { code: 'Expired' }]);
    expect(world.bus.taken.map(({ name, type, resourceVersion }) => `${type} ${name}@${resourceVersion}`)).toEqual([
      'ADDED a@4',
      'ADDED b@3',
      'ADDED c@5',
    ]);
    expect((await ring(world))[0]).toMatchObject({ lag: 0, faults: [] });
  });

  test('delivers all objects to a new consumer of an old log, without an error', async () => {
    const world = new World();
    await world.write([aProposal('a')]);
    world.clock.advance(2 * RETENTION);
    await world.write([aProposal('b')]);
    await world.store.sequence(CONFIG_MAPS).compact();
    expect((await ring(world))[0]?.faults).toEqual([]);
    expect(versions(world)).toEqual([2, 3]);
  });

  test('names the changed sections, with the previous state from the change or the log', async () => {
    const world = new World();
    const data = (text: string) => ({ body: aBody('a', { data: { text } }) });
    await world.write([aProposal('a', 'ADDED', data('1')), aProposal('a', 'MODIFIED', data('2'))]);
    await ring(world);
    await world.write([
      aProposal('a', 'MODIFIED', { ...data('3'), previousBody: aBody('a', { data: { text: '2' } }) }),
    ]);
    await world.write([aProposal('a', 'MODIFIED', data('4'))]);
    await ring(world);
    expect(world.bus.taken.map(({ changed }) => changed)).toEqual([undefined, ['data'], ['data'], ['data']]);
  });
});

describe('a log that a consumer no longer wants', () => {
  const EVENTS = 'main//events';

  test('keeps nothing for the consumer after the next ring of all sequences', async () => {
    const world = new World();
    await world.write([aProposal('a'), aProposal('b')], EVENTS);
    const { marks } = world.store.sequence(EVENTS);
    await marks.moveCursor('events', undefined, 2);
    await ring(world, [EVENTS]);
    expect(await marks.cursor('events')).toBe(2);
    await world.doorbell().ringAll();
    expect(await marks.cursor('events')).toBe(3);
    expect(world.bus.taken).toEqual([]);
  });

  test('is reported like any other log if its cursor cannot be moved', async () => {
    const world = new World();
    await world.write([aProposal('a')], EVENTS);
    const marks = world.store.sequence(EVENTS).marks;
    vi.spyOn(marks, 'cursor').mockRejectedValueOnce(new StoreError('Unavailable', 'out'));
    const [left] = await world.doorbell().ringAll();
    expect(left).toMatchObject({ sequence: EVENTS, faults: [{ code: 'Unavailable' }] });
  });
});

describe('published events by configuration', () => {
  const sequences = ['main//events', 'main/coordination.k8s.io/leases', 'main/quota.davit.dev/default', CONFIG_MAPS];

  test.each([
    ['none enabled', [], [CONFIG_MAPS]],
    ['leases', ['leases'], ['main/coordination.k8s.io/leases', CONFIG_MAPS]],
    ['events', ['events'], ['main//events', CONFIG_MAPS]],
    ['leases and events', ['leases', 'events'], ['main//events', 'main/coordination.k8s.io/leases', CONFIG_MAPS]],
  ] as const)('cover on-demand resources: %s', async (_, publish, expected) => {
    const world = new World({ publish });
    for (const sequence of sequences) await world.write([aProposal('a')], sequence);
    await ring(world, sequences);
    expect(world.bus.taken.map(({ sequence }) => sequence).sort()).toEqual([...expected].sort());
  });

  test('exclude an unpublished resource, for which the bus has no cursor', async () => {
    const world = new World();
    await world.write([aProposal('a')], 'main//events');
    await ring(world, ['main//events']);
    expect(await world.store.sequence('main//events').marks.cursor('events')).toBeUndefined();
  });
});
