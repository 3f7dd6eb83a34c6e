import { describe, expect, test } from 'vitest';
import { SYSTEM_MASTERS, UNAUTHENTICATED, type User } from '#lib/server/authentication/user.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { IdentityRate } from './identity-rate.ts';
import { memoryRateLedger } from './memory-rate-ledger.ts';
import type { RateLedger } from './rate-ledger.ts';

const LIMIT = 50;
const ENVIRONMENTS = 100;

const aUser = (name: string, ...groups: string[]): User => ({ name, groups });

/** Environments that share a ledger and count its charges. */
class Cloud {
  readonly clock = new ManualClock();
  readonly #ledger = memoryRateLedger(this.clock);
  readonly #environments: readonly IdentityRate[];
  #last = 0;
  charges = 0;

  constructor(count: number, requestsPerSecond = LIMIT) {
    const ledger: RateLedger = {
      charge: (...charge) => {
        this.charges++;
        return this.#ledger.charge(...charge);
      },
    };
    // A pseudo-random generator in [0, 1) that is the same in each run.
    let seed = 1;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const options = { clock: this.clock, ledger, requestsPerSecond, random };
    this.#environments = Array.from({ length: count }, () => new IdentityRate(options));
  }

  /** Sends each request to the next environment. */
  async send(user: User): Promise<boolean> {
    const environment = this.#environments[this.#last++ % this.#environments.length];
    return (await environment?.admit(user)) === undefined;
  }
}

/** Sends requests of users at the given rates per second, and counts the admitted ones. */
async function run(cloud: Cloud, seconds: number, rates: Readonly<Record<string, number>>) {
  const passed: Record<string, number> = {};
  const credit: Record<string, number> = {};
  for (let step = 0; step < seconds * 100; step++) {
    for (const [name, rate] of Object.entries(rates)) {
      credit[name] = (credit[name] ?? 0) + rate / 100;
      for (; (credit[name] ?? 0) >= 1; credit[name] = (credit[name] ?? 0) - 1) {
        if (await cloud.send(aUser(name))) passed[name] = (passed[name] ?? 0) + 1;
      }
    }
    cloud.clock.advance(10);
  }
  return passed;
}

describe('a flood of 1,000 requests a second over 100 environments', () => {
  test.each([
    [10, 2],
    [60, 1.3],
  ])('is limited for %i s to at most %f times its limit, while others are unaffected', async (seconds, times) => {
    const cloud = new Cloud(ENVIRONMENTS);
    const { flood = 0, other } = await run(cloud, seconds, { flood: 1000, other: 40 });
    expect(flood).toBeLessThan(times * (LIMIT * seconds + 4 * LIMIT));
    expect(flood).toBeGreaterThan(0.7 * LIMIT * seconds);
    expect(other).toBe(40 * seconds);
  });

  test('costs at most a twentieth of a write per request', async () => {
    const cloud = new Cloud(ENVIRONMENTS);
    await run(cloud, 60, { flood: 1000 });
    expect(cloud.charges / 60_000).toBeLessThan(0.05);
  });
});

describe('an identity within its limit', () => {
  test('is never rejected at 40 requests per second, and costs at most a tenth of a write each', async () => {
    const cloud = new Cloud(10);
    expect(await run(cloud, 60, { ann: 40 })).toEqual({ ann: 2400 });
    expect(cloud.charges / 2400).toBeLessThan(0.1);
  });

  test('may send a burst of four seconds at once', async () => {
    const cloud = new Cloud(1);
    const sent = await Promise.all(Array.from({ length: 4 * LIMIT }, () => cloud.send(aUser('ann'))));
    expect(sent.every(Boolean)).toBe(true);
  });

  test('costs nothing for four requests', async () => {
    const cloud = new Cloud(1);
    for (let i = 0; i < 4; i++) await cloud.send(aUser('ann'));
    expect(cloud.charges).toBe(0);
  });
});

test.each([SYSTEM_MASTERS, UNAUTHENTICATED])('the group %s has no limit', async (group) => {
  const cloud = new Cloud(1, 1);
  for (let i = 0; i < 100; i++) expect(await cloud.send(aUser('ann', group))).toBe(true);
  expect(cloud.charges).toBe(0);
});

test('limits no request if the ledger is unavailable', async () => {
  const ledger: RateLedger = { charge: () => Promise.reject(new StoreError('Unavailable', 'gone')) };
  const rate = new IdentityRate({ clock: new ManualClock(), ledger, requestsPerSecond: 1, random: () => 0 });
  for (let i = 0; i < 100; i++) expect(await rate.admit(aUser('ann'))).toBeUndefined();
});

test('returns the seconds until a retry', async () => {
  const cloud = new ManualClock();
  const options = { clock: cloud, ledger: memoryRateLedger(cloud), requestsPerSecond: 1, random: () => 0 };
  const rate = new IdentityRate(options);
  const answers = [];
  for (let i = 0; i < 11; i++) answers.push(await rate.admit(aUser('ann')));
  expect(answers).toEqual([...Array.from({ length: 9 }, () => undefined), 1, 1]);
});
