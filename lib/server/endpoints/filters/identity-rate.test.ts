import { expect, test } from 'vitest';
import { SYSTEM_MASTERS, type User } from '#lib/server/authentication/user.ts';
import { IdentityRate } from '#lib/server/flowcontrol/identity-rate.ts';
import { memoryRateLedger } from '#lib/server/flowcontrol/memory-rate-ledger.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { CHAIN } from './chain.ts';
import type { FilterPorts } from './filter.ts';
import { identityRate } from './identity-rate.ts';
import { impersonation } from './impersonation.ts';
import { openPorts } from './testing.ts';

const ANN: User = { name: 'ann', groups: ['dev'] };
const contextOf = (user: User): RequestContext => aRequestContext({ path: '/api/v1/pods' }, { user });

/** Allows one request per second. */
function filter() {
  const clock = new ManualClock();
  const ports: FilterPorts = {
    ...openPorts(clock),
    identityRate: new IdentityRate({ clock, ledger: memoryRateLedger(clock), requestsPerSecond: 1, random: () => 0 }),
  };
  const handle = identityRate(async () => ({ status: 200, headers: {}, body: '' }), ports);
  return (user: User, context = contextOf(user)) => handle(context);
}

test('rejects requests above the limit with a 429 that contains the limit, and counts them as terminated', async () => {
  const send = filter();
  for (let i = 0; i < 9; i++) await send(ANN);
  const context = contextOf(ANN);
  await expect(send(ANN, context)).rejects.toMatchObject({
    code: 429,
    reason: 'TooManyRequests',
    message: expect.stringContaining('more than 1 requests a second of one user'),
    details: { retryAfterSeconds: 1 },
  });
  expect(context.outcome.terminated).toBe(true);
  expect(await send({ name: 'bob', groups: ['dev'] })).toMatchObject({ status: 200 });
  expect(await send({ name: 'root', groups: [SYSTEM_MASTERS] })).toMatchObject({ status: 200 });
});

test('limits an impersonating user by the real identity', () => {
  expect(CHAIN.indexOf(identityRate)).toBeLessThan(CHAIN.indexOf(impersonation));
});
