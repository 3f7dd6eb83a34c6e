import { beforeEach, expect, test } from 'vitest';
import { Stretch } from './stretch.ts';

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeEach(turn);

/** How often others had their turn until it was over. */
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

test('who has worked long lets others through', async () => {
  const stretch = new Stretch();
  work(20);
  expect(await turnsDuring(() => stretch.next())).toBeGreaterThan(0);
});

test('who has worked for a moment goes on at once', async () => {
  const stretch = new Stretch();
  expect(await turnsDuring(() => stretch.next())).toBe(0);
});

test('what was waited for since is no work', async () => {
  const stretch = new Stretch();
  work(20);
  await turn();
  expect(await turnsDuring(() => stretch.next())).toBe(0);
});

test('work of another request in the same turn counts', async () => {
  const [, stretch] = [new Stretch(), new Stretch()];
  work(20);
  expect(await turnsDuring(() => Promise.all([stretch.next(), new Stretch().next()]))).toBeGreaterThan(1);
});

test('of those who have worked long one goes on in each turn', async () => {
  const stretches = Array.from({ length: 5 }, () => new Stretch());
  work(20);
  expect(await turnsDuring(() => Promise.all(stretches.map((stretch) => stretch.next())))).toBeGreaterThanOrEqual(4);
});
