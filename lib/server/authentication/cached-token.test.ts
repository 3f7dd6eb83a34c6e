import { expect, test } from 'vitest';
import { until } from '#test/support/until.ts';
import type { Authentication } from './authenticator.ts';
import { cachedTokens } from './cached-token.ts';
import { TokenCacheMetrics } from './token-cache-metrics.ts';

const clock = { now: () => 0, monotonic: () => 0, sleep: async () => {} };
const CONTEXT = { warn: () => undefined };
const AMY: Authentication = { user: { name: 'amy', groups: [] } };

/** Counters and gauges by what follows the common beginning of their names, and their status. */
function told(metrics: TokenCacheMetrics): Record<string, number> {
  const values = metrics
    .collect()
    .flatMap(({ name, type, samples }) =>
      type === 'histogram'
        ? []
        : samples.map(({ labels, value }) => [`${name.slice(27)} ${labels['status']}`, value] as const),
    );
  return Object.fromEntries(values);
}

test('a token is fetched once, waited for by all that show it, and then a hit', async () => {
  const metrics = new TokenCacheMetrics(clock);
  const fetched = Promise.withResolvers<Authentication | undefined>();
  const ask = cachedTokens(() => fetched.promise, { clock, ttl: 1000, metrics });
  const waiting = [ask('t', CONTEXT), ask('t', CONTEXT)];
  expect(told(metrics)).toEqual({ 'active_fetch_count in_flight': 1, 'active_fetch_count blocked': 2 });
  fetched.resolve(AMY);
  expect(await Promise.all(waiting)).toEqual([AMY, AMY]);
  await ask('t', CONTEXT);
  expect(told(metrics)).toEqual({
    'request_total miss': 2,
    'request_total hit': 1,
    'fetch_total ok': 1,
    'active_fetch_count in_flight': 0,
    'active_fetch_count blocked': 0,
  });
});

test('a fault is not kept, and is counted', async () => {
  const metrics = new TokenCacheMetrics(clock);
  const ask = cachedTokens(() => Promise.reject(new Error('away')), { clock, ttl: 1000, metrics });
  for (let i = 0; i < 2; i++) await expect(ask('t', CONTEXT)).rejects.toThrow('away');
  expect(told(metrics)).toMatchObject({ 'request_total miss': 2, 'fetch_total error': 2 });
});

test('a refusal that is answered is kept for ten seconds, one that is thrown is not', async () => {
  let now = 0;
  let asked = 0;
  const ticking = { ...clock, monotonic: () => now };
  const ask = cachedTokens(async () => (++asked > 1 ? AMY : { refused: 'unknown' }), { clock: ticking, ttl: 60_000 });
  for (now of [0, 1, 9_999])
    await expect(ask('t', CONTEXT)).rejects.toMatchObject({ reason: 'Unauthorized', message: 'unknown' });
  expect(asked).toBe(1);
  now = 10_000;
  expect(await ask('t', CONTEXT)).toBe(AMY);
});

test('asks about 32 tokens at once; more wait, and faults make room too', async () => {
  const asked: PromiseWithResolvers<Authentication>[] = [];
  const ask = cachedTokens(
    () => {
      const next = Promise.withResolvers<Authentication>();
      asked.push(next);
      return next.promise;
    },
    { clock, ttl: 1000 },
  );
  const answers = Array.from({ length: 34 }, (_, i) => ask(`t${i}`, CONTEXT));
  expect(asked).toHaveLength(32);
  asked[7]?.reject(new Error('away'));
  await expect(answers[7]).rejects.toThrow('away');
  asked[8]?.resolve(AMY);
  expect(await answers[8]).toBe(AMY);
  await until(() => asked.length === 34);
  for (const each of asked) each.resolve(AMY);
  expect(await answers[33]).toBe(AMY);
});

test('256 tokens wait at most; more are told to come again, users that are known are not', async () => {
  const away = Promise.withResolvers<Authentication>();
  const ask = cachedTokens((token) => (token === 'amy' ? Promise.resolve(AMY) : away.promise), { clock, ttl: 1000 });
  await ask('amy', CONTEXT);
  const answers = Array.from({ length: 32 + 256 }, (_, i) => ask(`t${i}`, CONTEXT));
  const ended = Promise.withResolvers<never>();
  setImmediate(() => ended.reject(new Error('it waits')));
  await expect(Promise.race([ask('more', CONTEXT), ended.promise])).rejects.toMatchObject({
    code: 429,
    details: { retryAfterSeconds: 1 },
  });
  expect(await ask('amy', CONTEXT)).toBe(AMY);
  away.resolve(AMY);
  await Promise.all(answers);
  expect(await ask('more', CONTEXT)).toBe(AMY);
});

test('refused tokens, however many, push out nobody who is known', async () => {
  const asked: string[] = [];
  const ask = cachedTokens(
    async (token) => {
      asked.push(token);
      return token === 'amy' ? AMY : { refused: 'nobody' };
    },
    { clock, ttl: 1000 },
  );
  await ask('amy', CONTEXT);
  for (let i = 0; i <= 10_000; i++) await ask(`guess-${i}`, CONTEXT).catch(() => undefined);
  asked.length = 0;
  expect(await ask('amy', CONTEXT)).toBe(AMY);
  expect(asked).toEqual([]);
});
