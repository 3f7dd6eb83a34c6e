import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { overriding, put, summarize } from '#lib/storage/cache/builders.ts';
import { ResourceCache } from '#lib/storage/cache/resource-cache.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import { settled } from '#test/support/settled.ts';
import { ChangeFeed } from './change-feed.ts';

const RETENTION = 3_600_000;
const KEYS = ['a', 'b', 'c', 'd'].map((name) => `main//pods/default/${name}`);

let feed: ChangeFeed | undefined;
afterEach(() => feed?.close());

/** A feed of pods. `deliver` is called with the name of each changed pod. The result contains the reported faults. */
async function aFeed(deliver: (name: string, clock: ManualClock) => void) {
  const clock = new ManualClock();
  const sequence = new MemoryStore({ clock, retention: RETENTION }).sequence('pods');
  const pods = new ResourceCache({ sequence, clock, summarize, retention: RETENTION });
  const faults: unknown[] = [];
  const reportFault = (_: string, error: unknown): void => void faults.push(error);
  const tell = ({ name }: ObjectChange): void => deliver(name, clock);
  feed = new ChangeFeed({ onStorage: (opened) => opened(pods, 'pods') }, { clock, reportFault }, tell);
  await feed.start();
  await settled();
  return { faults, add: () => Promise.all(KEYS.map((key) => pods.mutate(key, put(key, '1')))) };
}

test('yields between slow deliveries', async () => {
  const told: string[] = [];
  const { add } = await aFeed((name, clock) => {
    told.push(name);
    clock.advance(name === 'a' ? 9 : 10);
  });
  await add();
  const turns: string[] = [];
  while (told.length < KEYS.length) {
    await setImmediate();
    turns.push(told.join(''));
  }
  expect(new Set(turns.filter((turn) => turn !== ''))).toEqual(new Set(['ab', 'abc', 'abcd']));
});

test('reports and skips a damaged object', async () => {
  const clock = new ManualClock();
  const inner = new MemoryStore({ clock, retention: RETENTION }).sequence('pods');
  const broken = new StoreError('Corrupt', 'b is damaged');
  const damagedOf = <T extends { readonly key: string }>(one: T): T =>
    one.key === KEYS[1] ? { ...one, damage: broken } : one;
  const sequence = overriding(inner, {
    readLog: async (after, options) => {
      const page = await inner.readLog(after, options);
      return { ...page, changes: page.changes.map(damagedOf) };
    },
  });
  const pods = () => new ResourceCache({ sequence, clock, summarize, retention: RETENTION });
  const writer = pods();
  await Promise.all(KEYS.map((key) => writer.mutate(key, put(key, '1'))));
  const faults: unknown[] = [];
  const told: string[] = [];
  const options = { clock, reportFault: (_: string, error: unknown): void => void faults.push(error) };
  const cold = pods();
  feed = new ChangeFeed({ onStorage: (opened) => opened(cold, 'pods') }, options, ({ name }) => void told.push(name));
  const started = feed.start();
  await settled();
  await started;
  expect([told, faults]).toEqual([['a', 'c', 'd'], [broken]]);
});

test('reports an object that cannot be delivered, and delivers later ones', async () => {
  const told: string[] = [];
  const { add, faults } = await aFeed((name) => {
    if (name === 'b') throw new TypeError('b is odd');
    told.push(name);
  });
  await add();
  await settled(20);
  expect([told, faults]).toEqual([['a', 'c', 'd'], [new TypeError('b is odd')]]);
});
