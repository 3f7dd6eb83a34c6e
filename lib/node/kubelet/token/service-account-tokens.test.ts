import { beforeEach, describe, expect, test } from 'vitest';
import type { TokenSpec } from '#lib/node/volume/host.ts';
import { aPod } from '#lib/node/volume/testing/memory-host.ts';
import { StepClock } from '../testing/step-clock.ts';
import { ServiceAccountTokens } from './service-account-tokens.ts';

const HOUR = 3_600_000;
let clock: StepClock;
let requests: number;
let failure: string | undefined;
let life: number;
let jitter: number;
let log: string[];
let tokens: ServiceAccountTokens;

beforeEach(() => {
  clock = new StepClock();
  [requests, failure, life, jitter, log] = [0, undefined, HOUR, 0, []];
  tokens = new ServiceAccountTokens({
    clock,
    random: () => jitter,
    log: (message) => void log.push(message),
    request: async () => {
      if (failure !== undefined) throw new Error(failure);
      requests++;
      return {
        spec: { audiences: [], expirationSeconds: life / 1000, boundObjectRef: null },
        status: { token: `secret ${requests}`, expirationTimestamp: new Date(clock.now() + life).toISOString() },
      };
    },
  });
});

const spec = (change: Partial<TokenSpec> = {}): TokenSpec => ({
  namespace: 'ns',
  serviceAccount: 'robot',
  pod: aPod(),
  audience: '',
  expirationSeconds: 3607,
  ...change,
});

describe('service account tokens', () => {
  test.each([
    ['after 80 % of its lifetime', HOUR, 0, 0.8 * HOUR],
    ['up to 10 seconds earlier', HOUR, 0.55, 0.8 * HOUR - 5000],
    ['after a day if its lifetime is longer', 1000 * HOUR, 0, 24 * HOUR],
  ])('refreshes a token %s', async (_, given, chance, after) => {
    [life, jitter] = [given, chance];
    await tokens.get(spec());
    await clock.sleep(after);
    expect(await tokens.get(spec())).toBe('secret 1');
    await clock.sleep(1);
    expect(await tokens.get(spec())).toBe('secret 2');
  });

  test('keeps one token per audience, lifetime, account and pod', async () => {
    const others = [
      { audience: 'vault' },
      { expirationSeconds: 600 },
      { serviceAccountUid: 'made-again' },
      { serviceAccount: 'x' },
      { pod: aPod({ uid: 'u2' }) },
    ];
    for (const change of [{}, ...others, {}]) await tokens.get(spec(change));
    expect(requests).toBe(6);
  });

  test('uses a token until it expires while the server returns no other, and never logs it', async () => {
    await tokens.get(spec());
    failure = 'connection refused';
    await clock.sleep(0.9 * HOUR);
    expect(await tokens.get(spec())).toBe('secret 1');
    expect(log).toHaveLength(1);
    expect(log[0]).not.toContain('secret 1');
  });

  test('fails without a token and with an expired one', async () => {
    failure = 'connection refused';
    await expect(tokens.get(spec())).rejects.toThrow(new Error('failed to fetch token: connection refused'));
    failure = undefined;
    await tokens.get(spec());
    failure = 'connection refused';
    await clock.sleep(HOUR + 1);
    await expect(tokens.get(spec())).rejects.toThrow('connection refused');
  });

  test('forgets the tokens of a deleted pod', async () => {
    await tokens.get(spec());
    tokens.deletePod('u1');
    await tokens.get(spec());
    expect(requests).toBe(2);
  });
});
