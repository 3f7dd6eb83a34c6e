import { describe, expect, test } from 'vitest';
import { ANONYMOUS, type User } from '#lib/server/authentication/user.ts';
import type { Attributes, Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import type { RequestInfo } from '#lib/server/request/request-info.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { FilterPorts } from './filter.ts';
import { impersonation } from './impersonation.ts';

const ADMIN: User = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };
const BOB: User = { name: 'bob', groups: ['system:authenticated'] };
const LIST: RequestInfo = {
  isResourceRequest: true,
  path: '/api/v1/namespaces/x/configmaps',
  verb: 'list',
  group: '',
  version: 'v1',
  namespace: 'x',
  resource: 'configmaps',
  subresource: '',
  name: '',
  rest: [],
};

interface SeenRequest {
  readonly user: User;
  readonly headers: readonly string[];
  /** The attributes that the authorizer saw: `verb resource name`. */
  readonly asked: readonly string[];
}

/** Returns the user that the wrapped handler sees if `rights` are allowed. Throws the rejection. */
async function seen(
  user: User,
  headers: Record<string, string>,
  rights: readonly string[] = ['*'],
): Promise<SeenRequest> {
  const asked: string[] = [];
  const authorizer: Authorizer = async (who, attributes) => {
    const text = shown(attributes);
    asked.push(who.extra === undefined ? text : `${text} ${Object.keys(who.extra).join()}`);
    return { decision: rights.includes('*') || rights.includes(text) ? 'allow' : 'noOpinion', reason: '' };
  };
  let passed: RequestContext | undefined;
  const next = impersonation(
    async (context) => {
      passed = context;
      return { status: 200, headers: {}, body: '' };
    },
    { authorizer, clock: new ManualClock() } as unknown as FilterPorts,
  );
  const { status, body } = await next(aRequestContext({ headers }, { user, info: LIST }));
  if (status !== 200) {
    const { code, message } = JSON.parse(String(body)) as { code: number; message: string };
    throw Object.assign(new Error(message), { code });
  }
  if (passed === undefined) throw new Error('the request was not passed on');
  return { user: passed.user, headers: Object.keys(passed.request.headers), asked };
}

function shown({ verb, group, namespace, resource, subresource, name }: Attributes): string {
  const where = namespace === '' ? name : `${namespace}/${name}`;
  return `${verb} ${group === '' ? '' : 'authn/'}${resource}${subresource === '' ? '' : `/${subresource}`} ${where}`.trimEnd();
}

test.each<[string, Record<string, string>, User]>([
  ['themselves without headers', {}, ADMIN],
  ['a user', { 'impersonate-user': 'bob' }, BOB],
  [
    'groups',
    { 'impersonate-user': 'bob', 'impersonate-group': 'a, b' },
    { name: 'bob', groups: ['a', 'b', 'system:authenticated'] },
  ],
  ['the anonymous user', { 'impersonate-user': 'system:anonymous' }, ANONYMOUS],
  [
    'an unauthenticated user',
    { 'impersonate-user': 'bob', 'impersonate-group': 'system:unauthenticated' },
    { name: 'bob', groups: ['system:unauthenticated'] },
  ],
  [
    'a service account',
    { 'impersonate-user': 'system:serviceaccount:ns:default' },
    {
      name: 'system:serviceaccount:ns:default',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
    },
  ],
  [
    'a node',
    { 'impersonate-user': 'system:node:n1' },
    { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] },
  ],
  [
    'what is no name of a service account',
    { 'impersonate-user': 'system:serviceaccount:a:b:c' },
    { name: 'system:serviceaccount:a:b:c', groups: ['system:authenticated'] },
  ],
  [
    'uid and extra',
    { 'impersonate-user': 'bob', 'impersonate-uid': '7', 'impersonate-extra-acme.org%2fb': 'c' },
    { ...BOB, uid: '7', extra: { 'acme.org/b': ['c'] } },
  ],
])('lets a user with every right act as %s', async (_, headers, user) => {
  expect((await seen(ADMIN, headers)).user).toEqual(user);
});

test('hides the headers from later handlers', async () => {
  const headers = { accept: '*/*', 'impersonate-user': 'bob', 'impersonate-extra-a': 'b', 'impersonate-uid': '1' };
  expect((await seen(ADMIN, headers)).headers).toEqual(['accept']);
});

describe('constrained impersonation (KEP-5284)', () => {
  const account: User = {
    name: 'system:serviceaccount:x:agent',
    groups: [],
    extra: { 'authentication.kubernetes.io/node-name': ['n1'] },
  };
  test.each<[string, User, Record<string, string>, readonly string[], readonly string[]]>([
    [
      'a user, for what is asked alone',
      BOB,
      { 'impersonate-user': 'amy' },
      ['impersonate-on:user-info:list configmaps x/', 'impersonate:user-info authn/users amy'],
      [],
    ],
    [
      'four groups by one right',
      BOB,
      { 'impersonate-user': 'amy', 'impersonate-group': 'a,b,c,d' },
      [
        'impersonate-on:user-info:list configmaps x/',
        'impersonate:user-info authn/users amy',
        'impersonate:user-info authn/groups *',
      ],
      [],
    ],
    [
      'a service account',
      BOB,
      { 'impersonate-user': 'system:serviceaccount:y:sa' },
      ['impersonate-on:serviceaccount:list configmaps x/', 'impersonate:serviceaccount authn/serviceaccounts y/sa'],
      [],
    ],
    [
      'any node',
      BOB,
      { 'impersonate-user': 'system:node:n2' },
      ['impersonate-on:arbitrary-node:list configmaps x/', 'impersonate:arbitrary-node authn/nodes n2'],
      [],
    ],
    [
      "the account's own node, whichever it is",
      account,
      { 'impersonate-user': 'system:node:n1' },
      ['impersonate-on:associated-node:list configmaps x/', 'impersonate:associated-node authn/nodes *'],
      ['authentication.kubernetes.io/associated-node-keys'],
    ],
    ['unconstrained impersonation', BOB, { 'impersonate-user': 'amy' }, ['impersonate users amy'], []],
  ])('requires the rights for %s', async (_, user, headers, rights, extra) => {
    const { user: acts, asked } = await seen(user, headers, rights);
    expect(acts.name).toBe(headers['impersonate-user']);
    expect(asked.slice(-rights.length)).toEqual(rights.map((one) => [one, ...extra].join(' ')));
  });

  test("does not treat another node as the account's own node", async () => {
    const rights = ['impersonate-on:associated-node:list configmaps x/', 'impersonate:associated-node authn/nodes *'];
    await expect(seen(account, { 'impersonate-user': 'system:node:n2' }, rights)).rejects.toThrow(
      'cannot impersonate-on:arbitrary-node:list resource "configmaps"',
    );
  });

  test.each<[string, Record<string, string>, string]>([
    [
      'system:masters',
      { 'impersonate-group': 'system:masters' },
      'impersonating the system:masters group is not allowed',
    ],
    ['no group', { 'impersonate-group': '' }, 'impersonating the empty string group is not allowed'],
    ['an extra of no domain', { 'impersonate-extra-a': 'b' }, 'impersonating an invalid key in extra is not allowed'],
    ['an extra without value', { 'impersonate-extra-a.org%2fb': '' }, 'impersonating the empty string value in extra'],
  ])('lets no user impersonate %s', async (_, headers, message) => {
    const rights = ['impersonate-on:user-info:list configmaps x/', 'impersonate:user-info authn/users amy'];
    await expect(seen(BOB, { 'impersonate-user': 'amy', ...headers }, rights)).rejects.toMatchObject({
      code: 403,
      message: expect.stringContaining(message),
    });
  });
});

describe('a user without the right', () => {
  test('is rejected with the missing right', async () => {
    const refused = seen(BOB, { 'impersonate-user': 'admin', 'impersonate-group': 'system:masters' }, []);
    await expect(refused).rejects.toThrow(
      'configmaps is forbidden: User "bob" cannot impersonate-on:user-info:list resource "configmaps" in API group "" in the namespace "x"',
    );
  });

  test.each<[string, Record<string, string>]>([
    ['a group', { 'impersonate-group': 'g' }],
    ['a uid', { 'impersonate-uid': '1' }],
    ['an extra', { 'impersonate-extra-acme.org%2fa': 'b' }],
  ])('rejects %s if only the user is allowed', async (_, headers) => {
    await expect(seen(BOB, { 'impersonate-user': 'amy', ...headers }, ['impersonate users amy'])).rejects.toMatchObject(
      {
        code: 403,
      },
    );
  });
});

test('rejects a group without a user with 400', async () => {
  await expect(seen(ADMIN, { 'impersonate-group': 'g', 'impersonate-extra-a': 'b' })).rejects.toMatchObject({
    code: 400,
    message:
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string{"a":[]string{"b"}}} without impersonating a user name',
  });
});

test('tries the last successful mode first, and reports its rejection', async () => {
  const asked: string[] = [];
  const authorizer: Authorizer = async (_, attributes) => {
    asked.push(shown(attributes));
    return { decision: shown(attributes) === 'impersonate users amy' ? 'allow' : 'noOpinion', reason: '' };
  };
  const next = impersonation(async () => ({ status: 200, headers: {}, body: '' }), {
    authorizer,
    clock: new ManualClock(),
  } as unknown as FilterPorts);
  const as = (name: string) =>
    next(aRequestContext({ headers: { 'impersonate-user': name } }, { user: BOB, info: LIST }));
  await as('amy');
  expect(asked.splice(0)).toEqual(['impersonate-on:user-info:list configmaps x/', 'impersonate users amy']);
  await as('amy');
  expect(asked.splice(0)).toEqual(['impersonate users amy']);
  const { status, headers, body } = await as('joe');
  expect([status, headers['x-content-type-options']]).toEqual([403, 'nosniff']);
  expect(String(body)).toContain('cannot impersonate resource');
});
