import { describe, expect, test } from 'vitest';
import { asks, aUser } from '../rbac/a-policy.ts';
import { abacAuthorizer, abacRules } from './authorizer.ts';
import { parsePolicyFile } from './policy-file.ts';

const v1 = (spec: Record<string, unknown>): string =>
  JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec });

const FILE = `# who may do what
{"user":"admin"}
{"user":"scheduler","readonly":true,"resource":"pods"}

{"group":"team","namespace":"projectCaribou"}
${v1({ user: 'ann', apiGroup: 'apps', resource: '*', namespace: 'a' })}
${v1({ group: 'team', user: 'bob', apiGroup: '*', resource: 'pods', namespace: '*' })}
${v1({ user: '*', readonly: true, nonResourcePath: '/health*' })}
${v1({ apiGroup: '*', resource: '*', namespace: '*' })}
`;

/** Upstream's TestAuthorizeV0 and TestAuthorizeV1beta1. */
test.each<[who: string, asked: string, allowed: boolean]>([
  ['admin', 'delete x core secrets', true],
  ['admin', 'post /x', true],
  ['scheduler', 'list x core pods', true],
  ['scheduler', 'list - core pods', true],
  ['scheduler', 'create x core pods', false],
  ['scheduler', 'list x core services', false],
  ['scheduler', 'get /x', false],
  ['carl team', 'update projectCaribou apps deployments', true],
  ['carl team', 'update other apps deployments', false],
  ['ann', 'create a apps deployments', true],
  ['ann', 'create b apps deployments', false],
  ['ann', 'create a core pods', false],
  ['bob team', 'create b core pods', true],
  ['bob', 'create b core pods', false],
  ['eve system:authenticated', 'get /healthz', true],
  ['eve system:authenticated', 'post /healthz', false],
  ['eve', 'get /healthz', false],
  ['eve', 'get a core pods', false],
])('the request of %s for %s is allowed: %s', async (who, asked, allowed) => {
  const [name = '', ...groups] = who.split(' ');
  const { decision, reason } = await abacAuthorizer(parsePolicyFile(FILE))(aUser(name, ...groups), asks(asked));
  expect([decision, reason]).toEqual(allowed ? ['allow', ''] : ['noOpinion', 'No policy matched.']);
});

test('lists the rules of a namespace', async () => {
  const rules = abacRules(parsePolicyFile(FILE));
  expect(await rules(aUser('ann', 'system:authenticated'), 'a')).toEqual({
    resourceRules: [{ verbs: ['*'], apiGroups: ['apps'], resources: ['*'] }],
    nonResourceRules: [],
    incomplete: false,
  });
  expect((await rules(aUser('scheduler'), 'x')).resourceRules).toEqual([
    { verbs: ['get', 'list', 'watch'], apiGroups: ['*'], resources: ['pods'] },
  ]);
});

describe('lines that are not a policy', () => {
  test.each([
    ['{', 'line 1: a policy is a JSON object'],
    ['# one\n[]', 'line 2: a policy is a JSON object'],
    ['{"kind":"Policy"}', 'line 1: the kind of a policy is Policy in abac.authorization.kubernetes.io/v1beta1'],
    ['{"apiVersion":"v1","kind":"Policy"}', 'line 1: the kind of a policy'],
  ])('rejects the file %s', (text, message) => {
    expect(() => parsePolicyFile(text)).toThrow(message);
  });
});
