import { expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import type { Authentication } from './authenticator.ts';
import { cachedTokens } from './cached-token.ts';
import { TokenCacheMetrics } from './token-cache-metrics.ts';

const clock = { now: () => 0, monotonic: () => 0, sleep: async () => {} };
const CONTEXT = { warn: () => undefined };
const AMY: Authentication = { user: { name: 'amy', groups: [] } };

/** Counters and gauges, keyed by status and by name without the common prefix. */
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

test('fetches a token once, shares the pending call, and then counts hits', async () => {
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

test('counts an error and does not cache it', async () => {
  const metrics = new TokenCacheMetrics(clock);
  const ask = cachedTokens(() => Promise.reject(new Error('away')), { clock, ttl: 1000, metrics });
  for (let i = 0; i < 2; i++) await expect(ask('t', CONTEXT)).rejects.toThrow('away');
  expect(told(metrics)).toMatchObject({ 'request_total miss': 2, 'fetch_total error': 2 });
});

test('caches a returned rejection for ten seconds', async () => {
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

test('authenticates 32 tokens at once, and starts the next after a result or an error', async () => {
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
  await eventually(() => expect(asked).toHaveLength(34));
  for (const each of asked) each.resolve(AMY);
  expect(await answers[33]).toBe(AMY);
});

test('rejects new tokens with 429 while 256 wait, but not those of cached users', async () => {
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

test('rejected tokens never evict cached users', async () => {
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
