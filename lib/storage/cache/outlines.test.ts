import { expect, test } from 'vitest';
import { ManualClock } from '../memory/manual-clock.ts';
import { MemoryStore } from '../memory/store.ts';
import type { Outline, Sequence } from '../sequence.ts';
import type { StoredObject } from '../storage.ts';
import { ByteBudget } from './budget.ts';
import { add, overriding, parse, put, remove, show, summarize } from './builders.ts';
import { ResourceCache } from './resource-cache.ts';
import { each } from './view.ts';

const PREFIX = 'main//things/';
const FRESH = { kind: 'fresh' } as const;
const key = (name: string): string => `${PREFIX}default/${name}`;
const keyOfTall = (i: number): string => key(`tall${i}`);

/** The outline of a tall body omits the text. */
const outline: Outline = (at, body) => {
  const { metadata } = parse(body);
  if (!at.includes('/tall')) return undefined;
  return Buffer.from(JSON.stringify({ metadata, text: '' }));
};

/** Five tall objects and a small one, all checkpointed, and the cache of another process. */
async function aWorld(budget = new ByteBudget(1024 * 1024, new ManualClock())) {
  const clock = new ManualClock();
  const inner = new MemoryStore({ clock, retention: 3_600_000, outline }).sequence('things');
  const calls = { read: 0, snapshot: 0 };
  const sequence: Sequence = overriding(inner, {
    read: (at) => (calls.read++, inner.read(at)),
    snapshot: (how) => (calls.snapshot++, inner.snapshot(how)),
  });
  const open = () => new ResourceCache({ sequence, clock, summarize });
  const writer = open();
  for (let i = 1; i <= 5; i++) await writer.mutate(keyOfTall(i), put(keyOfTall(i), `text${i}`, { app: `a${i}` }));
  await writer.mutate(key('small'), put(key('small'), 'small'));
  await inner.compact();
  const cache = new ResourceCache({ sequence, clock, summarize, budget });
  await cache.list({ prefix: PREFIX, at: FRESH, limit: 1, outlines: true });
  Object.assign(calls, { read: 0, snapshot: 0 });
  return { inner, calls, writer, cache };
}

const list = (cache: ResourceCache, more: object = {}) => cache.list({ prefix: PREFIX, at: FRESH, limit: 0, ...more });
const WHOLE = ['small=small@7', 'tall1=text1@2', 'tall2=text2@3', 'tall3=text3@4', 'tall4=text4@5', 'tall5=text5@6'];

test('reads no body for a list that requests outlines', async () => {
  const { cache, calls } = await aWorld();
  const { objects } = await list(cache, { outlines: true });
  expect(objects.map(show)).toEqual([
    'small=small@7',
    ...[2, 3, 4, 5, 6].map((version) => `tall${version - 1}=@${version}`),
  ]);
  expect(objects.map(({ outline: isOutline }) => isOutline)).toEqual([false, true, true, true, true, true]);
  expect(calls).toEqual({ read: 0, snapshot: 0 });
});

test('reads the body once for a get, and returns the same objects to lists of outlines', async () => {
  const { cache, calls } = await aWorld();
  const before = await list(cache, { outlines: true });
  const first = await cache.get(keyOfTall(2), FRESH);
  expect(show(first)).toBe('tall2=text2@3');
  expect(await cache.get(keyOfTall(2), FRESH)).toBe(first);
  expect(calls.read).toBe(1);
  const after = await list(cache, { outlines: true });
  for (const [i, object] of after.objects.entries()) expect(object).toBe(before.objects[i]);
});

test('returns bodies to other lists, also page by page, and reads each once', async () => {
  const { cache, calls } = await aWorld();
  const page = await list(cache, { limit: 3 });
  expect(page.objects.map(show)).toEqual(WHOLE.slice(0, 3));
  expect(page.remaining).toBe(3);
  expect((await list(cache)).objects.map(show)).toEqual(WHOLE);
  expect((await list(cache)).objects.map(show)).toEqual(WHOLE);
  expect(calls.snapshot).toBe(2);
  const labelled = await list(cache, { matches: ({ summary }: StoredObject) => summary.labels['app'] === 'a4' });
  expect(labelled.objects.map(show)).toEqual(['tall4=text4@5']);
});

test('returns bodies to a stream', async () => {
  const { cache } = await aWorld();
  const { batches } = await cache.stream({ prefix: PREFIX, at: FRESH });
  const shown: (string | undefined)[] = [];
  for await (const object of each(batches)) shown.push(show(object));
  expect(shown).toEqual(WHOLE);
});

test('lists earlier bodies, also of objects that have changed since', async () => {
  const { cache } = await aWorld();
  await cache.mutate(keyOfTall(1), put(keyOfTall(1), 'new'));
  const past = await list(cache, { at: { kind: 'exact', version: 7 } });
  expect(past.objects.map(show)).toEqual(WHOLE);
});

test('passes the body to a mutation', async () => {
  const { cache } = await aWorld();
  await cache.mutate(keyOfTall(3), add(keyOfTall(3), '+'));
  expect(show(await cache.get(keyOfTall(3), FRESH))).toBe('tall3=text3+@8');
});

test('shows watchers the previous body of another process’s change', async () => {
  const { cache, writer } = await aWorld();
  const abort = new AbortController();
  const stream = cache.watch({ prefix: PREFIX, after: 7, bookmarks: false, signal: abort.signal });
  const first = stream.next();
  await writer.mutate(keyOfTall(4), put(keyOfTall(4), 'new'));
  await writer.mutate(keyOfTall(4), put(keyOfTall(4), 'newer'));
  await cache.head();
  const events = [await first, await stream.next()];
  const previous = events.map(({ value }) => (value?.type === 'BOOKMARK' ? undefined : show(value?.previous)));
  expect(previous).toEqual(['tall4=text4@5', 'tall4=new@8']);
  abort.abort();
});

test('counts bodies in the budget, and drops them with their object', async () => {
  const budget = new ByteBudget(1024 * 1024, new ManualClock());
  const { cache } = await aWorld(budget);
  const outlines = budget.used;
  const { stored } = await cache.mutate(keyOfTall(1), add(keyOfTall(1), ''));
  await list(cache);
  const whole = budget.used;
  expect(whole - outlines).toBeGreaterThan(4 * (stored?.body.length ?? 0));
  for (let i = 1; i <= 5; i++) await cache.mutate(keyOfTall(i), remove);
  expect((await list(cache)).objects.map(show)).toEqual(['small=small@7']);
  expect(await cache.get(keyOfTall(1), FRESH)).toBeUndefined();
});
