import { expect, test } from 'vitest';
import { ANONYMOUS, type User } from '#lib/authentication/user.ts';
import { privilegedGroups } from '#lib/authorization/privileged-groups.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { ApiRequest } from '../api.ts';
import type { FilterPorts, RequestState } from './filter.ts';
import { impersonation } from './impersonation.ts';

const ADMIN: User = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };
const BOB: User = { name: 'bob', groups: ['system:authenticated'] };

/** Who the handler behind the filter sees. */
async function seen(user: User, headers: Record<string, string>): Promise<User> {
  const state = { user } as RequestState;
  const ports = { authorizer: privilegedGroups } as unknown as FilterPorts;
  const next = impersonation(async () => ({ status: 200, headers: {}, body: '' }), ports);
  await next({ headers } as unknown as ApiRequest, state);
  return state.user;
}

test.each<[string, Record<string, string>, User]>([
  ['nobody', {}, ADMIN],
  ['a user', { 'impersonate-user': 'bob' }, BOB],
  [
    'groups',
    { 'impersonate-user': 'bob', 'impersonate-group': 'a, b' },
    { name: 'bob', groups: ['a', 'b', 'system:authenticated'] },
  ],
  ['the anonymous', { 'impersonate-user': 'system:anonymous' }, ANONYMOUS],
  [
    'a service account',
    { 'impersonate-user': 'system:serviceaccount:ns:default' },
    {
      name: 'system:serviceaccount:ns:default',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
    },
  ],
  [
    'uid and extra',
    { 'impersonate-user': 'bob', 'impersonate-uid': '7', 'impersonate-extra-a%2fb': 'c' },
    { ...BOB, uid: '7', extra: { 'a/b': ['c'] } },
  ],
])('the administrator acts as %s', async (_, headers, user) => {
  expect(await seen(ADMIN, headers)).toEqual(user);
});

test('who has not the right is refused, also for more rights than one has', async () => {
  const refused = seen(BOB, { 'impersonate-user': 'admin', 'impersonate-group': 'system:masters' });
  await expect(refused).rejects.toThrow(
    'users "admin" is forbidden: User "bob" cannot impersonate resource "users" in API group "" at the cluster scope',
  );
});

test('a group without a user is a bad request', async () => {
  const refused = seen(ADMIN, { 'impersonate-group': 'g' });
  await expect(refused).rejects.toBeInstanceOf(StatusError);
  await expect(refused).rejects.toThrow('without impersonating a user name');
});
