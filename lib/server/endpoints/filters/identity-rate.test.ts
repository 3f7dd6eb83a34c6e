import { expect, test } from 'vitest';
import { SYSTEM_MASTERS, type User } from '#lib/server/authentication/user.ts';
import { IdentityRate } from '#lib/server/flowcontrol/identity-rate.ts';
import { memoryRateLedger } from '#lib/server/flowcontrol/memory-rate-ledger.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { requestInfo } from '#lib/server/request/request-info.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { CHAIN } from './chain.ts';
import type { FilterPorts, RequestState } from './filter.ts';
import { identityRate } from './identity-rate.ts';
import { impersonation } from './impersonation.ts';
import { openPorts } from './testing.ts';

const ANN: User = { name: 'ann', groups: ['dev'] };
const request: ApiRequest = {
  method: 'GET',
  path: '/api/v1/pods',
  query: new URLSearchParams(),
  headers: {},
  body: async () => new Uint8Array(),
  signal: new AbortController().signal,
};

function stateOf(user: User): RequestState {
  const { method, path, query } = request;
  const told = { warnings: new Set<string>(), annotations: new Map<string, string>() };
  const info = requestInfo(method, path, query);
  if (info === undefined) throw new Error('a path that nothing serves');
  return { auditId: '', now: new Date(0), ...told, info, user };
}

/** Allows one request per second. */
function filter() {
  const clock = new ManualClock();
  const ports: FilterPorts = {
    ...openPorts(clock),
    identityRate: new IdentityRate({ clock, ledger: memoryRateLedger(clock), requestsPerSecond: 1, random: () => 0 }),
  };
  const handle = identityRate(async () => ({ status: 200, headers: {}, body: '' }), ports);
  return (user: User, state = stateOf(user)) => handle(request, state);
}

test('rejects requests above the limit with a 429 that names it, and counts them as terminated', async () => {
  const send = filter();
  for (let i = 0; i < 9; i++) await send(ANN);
  const state = stateOf(ANN);
  await expect(send(ANN, state)).rejects.toMatchObject({
    code: 429,
    reason: 'TooManyRequests',
    message: expect.stringContaining('more than 1 requests a second of one user'),
    details: { retryAfterSeconds: 1 },
  });
  expect(state.terminated).toBe(true);
  expect(await send({ name: 'bob', groups: ['dev'] })).toMatchObject({ status: 200 });
  expect(await send({ name: 'root', groups: [SYSTEM_MASTERS] })).toMatchObject({ status: 200 });
});

test('limits an impersonating user by the real identity', () => {
  expect(CHAIN.indexOf(identityRate)).toBeLessThan(CHAIN.indexOf(impersonation));
});
