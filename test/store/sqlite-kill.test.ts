import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Version } from '#lib/storage/sequence.ts';
import { Actors } from './actors.ts';
import { openBackend } from './backend.ts';
import { violations } from './checker.ts';
import type { Seen } from './history.ts';
import { seenOf } from './replica.ts';

/** `npm run test:full` kills more often. */
const ROUNDS = process.env['DAVIT_FULL'] === undefined ? 10 : 20;
const SEQUENCE = 'main//things';

async function readAll(url: string): Promise<Seen[]> {
  const store = await openBackend(url);
  const seen: Seen[] = [];
  let [after, more]: [Version, boolean] = [0, true];
  while (more) {
    const page = await store.sequence(SEQUENCE).readLog(after, { limit: 1_000, consistent: true });
    seen.push(...page.changes.map(seenOf));
    ({ last: after, more } = page);
  }
  await store.close();
  return seen;
}

test(`all writers killed together ${ROUNDS} times lose no acknowledged write`, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'davit-kill-'));
  const url = `sqlite:${join(directory, 'davit.db')}`;
  const actors = new Actors();
  const start = (actor: string, seed: number) =>
    actors.start({
      role: 'writer',
      actor,
      url,
      sequence: SEQUENCE,
      seed,
      file: join(directory, actor),
      stopFile: join(directory, 'stop'),
      faults: false,
    });
  for (let round = 1; round <= ROUNDS; round++) {
    const writers = ['a', 'b'].map((name, i) => start(`${name}${round}`, round * 2 + i));
    await Promise.all(writers.map(({ ready }) => ready));
    await sleep(20 + ((round * 37) % 150));
    await actors.kill(writers);
    expect(violations(await readAll(url), actors.histories())).toEqual([]);
  }
  const acks = actors.histories().flatMap(({ events }) => events.filter(({ kind }) => kind === 'ack'));
  expect(acks.length).toBeGreaterThan(5 * ROUNDS);
  rmSync(directory, { recursive: true });
});
