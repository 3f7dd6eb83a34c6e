import { beforeEach, expect, test } from 'vitest';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { settled } from '#test/support/settled.ts';
import { givingWay, Stretch } from './stretch.ts';

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

beforeEach(() => settled());

/** Counts the turns that other callers get until `act` is done. */
async function turnsDuring(act: () => Promise<unknown> | undefined): Promise<number> {
  let turns = 0;
  let over = false;
  const count = (): void => {
    turns++;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  await act();
  over = true;
  return turns;
}

test('yields after a long stretch of work', async () => {
  const stretch = new Stretch();
  work(20);
  expect(await turnsDuring(() => stretch.next())).toBeGreaterThan(0);
});

test('continues at once after a short stretch', async () => {
  const stretch = new Stretch();
  expect(await turnsDuring(() => stretch.next())).toBe(0);
});

test('does not count waits as work', async () => {
  const stretch = new Stretch();
  work(20);
  await settled();
  expect(await turnsDuring(() => stretch.next())).toBe(0);
});

test('counts work of another request in the same turn', async () => {
  const [, stretch] = [new Stretch(), new Stretch()];
  work(20);
  expect(await turnsDuring(() => Promise.all([stretch.next(), new Stretch().next()]))).toBeGreaterThan(1);
});

test('lets one long stretch continue in each turn', async () => {
  const stretches = Array.from({ length: 5 }, () => new Stretch());
  work(20);
  expect(await turnsDuring(() => Promise.all(stretches.map(async (stretch) => stretch.next())))).toBeGreaterThanOrEqual(
    4,
  );
});

test('lets others run before requests of this process, which keep a turn once they have it', async () => {
  const turns: ApiRequest['turn'][] = [];
  const handle = givingWay(async (request) => {
    turns.push(request.turn);
    return { status: 200, headers: {}, body: '' };
  });
  const request: ApiRequest = {
    method: 'GET',
    path: '/',
    query: new URLSearchParams(),
    headers: {},
    body: async () => new Uint8Array(),
    signal: () => new AbortController().signal,
  };
  const own = async (): Promise<void> => {};
  await handle({ ...request, turn: own });
  await handle(request);
  expect(turns).toEqual([own, expect.any(Function)]);
  work(20);
  expect(await turnsDuring(() => turns[1]?.())).toBeGreaterThan(0);
});
