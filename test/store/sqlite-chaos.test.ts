import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Plant } from './actor-options.ts';
import { type ChaosOptions, chaos } from './chaos.ts';

/** `npm run test:full` runs longer. */
const SECONDS = process.env['DAVIT_FULL'] === undefined ? 8 : 60;
const RETENTION = 1_000;

describe('several processes on one SQLite file', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'davit-chaos-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const options = (seed: number): ChaosOptions => ({
    url: `sqlite:${join(directory, `${seed}.db`)}?retention=${RETENTION}`,
    directory,
    seed,
    milliseconds: 2_000,
    versions: 500,
    writers: 3,
    watchers: 1,
    suspension: 0,
  });

  test(
    'killed, suspended across compactions, and lied to, they agree on one log',
    async () => {
      const seed = Date.now() % 1_000_000;
      const report = await chaos({
        ...options(seed),
        milliseconds: SECONDS * 1_000,
        versions: 2_000,
        writers: 4,
        watchers: 3,
        suspension: 3 * RETENTION,
      });
      console.info(`seed ${seed}: ${JSON.stringify({ ...report, violations: report.violations.length })}`);
      expect(report.violations.slice(0, 5)).toEqual([]);
      expect(report.acknowledged).toBeGreaterThan(100);
      expect(report.killed).toBeGreaterThan(0);
      expect(report.suspended).toBeGreaterThan(0);
      expect(report.fresh).toBeGreaterThan(10);
      expect(report.lagged).toBeGreaterThan(0);
    },
    SECONDS * 1_000 + 240_000,
  );

  test('finds no violation in an undisturbed run', async () => {
    expect((await chaos(options(1))).violations).toEqual([]);
  });

  test.each<[Plant, RegExp]>([
    ['stale-writer', /^chain: /],
    ['early-ack', /^ack: /],
    ['stale-read', /^time: the read/],
    ['skip', /^watch: /],
    ['duplicate', /^watch: /],
  ])('a planted %s is found, at the latest in the fourth run', async (plant, expected) => {
    // On a busy machine, processes may run one after the other and never overlap.
    const first = 100 * (1 + ['stale-writer', 'early-ack', 'stale-read', 'skip', 'duplicate'].indexOf(plant));
    const found: string[] = [];
    for (let seed = first; seed < first + 4 && !found.some((one) => expected.test(one)); seed++)
      found.push(...(await chaos({ ...options(seed), plant })).violations);
    expect(found).toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
  });
});
