import { describe, expect, test } from 'vitest';
import { randomFrom } from '#test/store/random.ts';
import { Mortal } from '#test/support/stream/mortal.ts';
import { aProposal, CONFIG_MAPS, World } from '#test/support/stream/world.ts';

const WHOLE = { finished: true };
const SO_FAR = { finished: false };

/** Changes of a few objects that fill more than a page. */
const changes = (count: number) =>
  Array.from({ length: count }, (_, i) => aProposal(`n${i % 5}`, i < 5 ? 'ADDED' : 'MODIFIED'));

const poisoned = () => new World({ onEvent: ({ name }) => (name === 'n3' ? { refused: 'poison' } : 'taken') });

describe.each([
  ['before the call arrives', false],
  ['after the call took effect', true],
])('a process that stops %s', (_, carriedOut) => {
  test.each([
    ['a page and a half', 90, () => new World()],
    ['with entries that are refused', 12, poisoned],
  ])('loses nothing at any call: %s', async (_name, count, makeWorld) => {
    let call = 1;
    for (let ended = false; !ended; call += 1) {
      const world = makeWorld();
      await world.write(changes(count));
      ended = await world.ringMortal({ call, carriedOut });
      expect(await world.violations(SO_FAR), `after call ${call}`).toEqual([]);
      await world.write(changes(3).map((proposal) => ({ ...proposal, type: 'MODIFIED' as const })));
      const [rung] = await world.doorbell().ring([CONFIG_MAPS]);
      expect(rung).toMatchObject({ lag: 0, faults: [] });
      expect(await world.violations(WHOLE), `after call ${call} and another ring`).toEqual([]);
    }
    expect(call).toBeGreaterThan(10);
  });

  test('loses nothing at any call of a resync', async () => {
    let call = 1;
    for (let ended = false; !ended; call += 1) {
      const world = new World();
      await world.write(changes(5));
      world.clock.advance(1e9);
      await world.write([aProposal('last')]);
      await world.store.sequence(CONFIG_MAPS).compact();
      ended = await world.ringMortal({ call, carriedOut });
      await world.doorbell().ring([CONFIG_MAPS]);
      expect(new Set(world.bus.taken.map(({ name }) => name)).size, `after call ${call}`).toBe(6);
      expect(new Set(world.queue.taken.map(({ name }) => name)).size, `after call ${call}`).toBe(6);
    }
    expect(call).toBeGreaterThan(10);
  });
});

describe('several concurrent processes', () => {
  /** Serializes the calls of all processes in an order that the seed determines. */
  function turns(seed: number) {
    const random = randomFrom(seed);
    const waiting: (() => void)[] = [];
    const work = { done: false };
    const next = async (): Promise<void> => {
      while (!work.done) {
        const [go] = waiting.splice(Math.floor(random() * waiting.length), 1);
        go?.();
        for (let i = 0; i < 10; i += 1) await Promise.resolve();
      }
    };
    return {
      turn: () => new Promise<void>((resolve) => void waiting.push(resolve)),
      run: async (all: readonly Promise<unknown>[]) => {
        const running = next();
        await Promise.all(all);
        work.done = true;
        await running;
      },
    };
  }

  test.each(Array.from({ length: 64 }, (_, i) => [i + 1]))(
    'lose no change if their calls interleave as in seed %i',
    async (seed) => {
      const world = new World();
      await world.write(changes(80));
      const { turn, run } = turns(seed);
      const rings = [0, 1].map(() => world.doorbell(new Mortal(undefined, turn)).ring([CONFIG_MAPS]));
      const writes = world.write(changes(60).map((proposal) => ({ ...proposal, type: 'MODIFIED' as const })));
      await run([...rings, writes]);
      expect(await world.violations(SO_FAR)).toEqual([]);
      await world.doorbell().ring([CONFIG_MAPS]);
      expect(await world.violations(WHOLE)).toEqual([]);
    },
  );

  test('detects lost deliveries in the checker itself', async () => {
    const world = new World();
    await world.write(changes(6));
    await world.doorbell().ring([CONFIG_MAPS]);
    const [first, second, ...rest] = world.bus.taken.splice(0);
    world.bus.taken.push(...rest);
    expect(await world.violations(SO_FAR)).toEqual(['no event 2', 'no event 3']);
    if (first !== undefined && second !== undefined) world.bus.taken.push(second, first);
    expect(await world.violations(WHOLE)).toEqual(['events: 2 came late']);
    world.queue.taken.pop();
    expect(await world.violations(WHOLE)).toContain('no request for 6');
  });
});
