import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { parsePolicyFile } from './abac/policy-file.ts';
import { type Authorizer, noOpinion, unionAuthorizer } from './authorizer.ts';
import { type AuthorizerOptions, authorization, reconfigurableAuthorization } from './chain.ts';
import { AuthorizationMetrics } from './metrics.ts';
import { aPolicy, asks, aUser, binding, role } from './rbac/a-policy.ts';

const policy = aPolicy(
  ['clusterroles//view', role('list core pods')],
  ['clusterrolebindings//v', binding('ClusterRole view', 'User ann')],
);
const ports = {
  storageOf: () => {
    throw new TypeError('nothing is read');
  },
  cluster: 'main',
  clock: new ManualClock(),
  policies: async () => policy,
  metrics: new AuthorizationMetrics(new ManualClock()),
};
const ABAC: AuthorizerOptions = { type: 'ABAC', policies: parsePolicyFile('{"user":"bob"}') };

test.each<[modes: AuthorizerOptions[] | undefined, who: string, allowed: boolean]>([
  [undefined, 'ann', true],
  [undefined, 'bob', false],
  [undefined, 'root system:masters', true],
  [[ABAC], 'ann', false],
  [[ABAC], 'bob', true],
  [[ABAC, { type: 'RBAC' }], 'ann', true],
  [[{ type: 'AlwaysDeny' }], 'ann', false],
  [[{ type: 'AlwaysDeny' }], 'root system:masters', true],
  [[{ type: 'AlwaysDeny' }, { type: 'AlwaysAllow' }], 'nobody', true],
])('%j lets %s list pods: %s', async (modes, who, allowed) => {
  const [name = '', ...groups] = who.split(' ');
  const { authorizer } = authorization(ports, modes);
  expect((await authorizer(aUser(name, ...groups), asks('list ns core pods'))).decision === 'allow').toBe(allowed);
});

test('combines the rules of all modes', async () => {
  const { ruleResolver } = authorization(ports, [{ type: 'Node' }, { type: 'RBAC' }, ABAC]);
  expect((await ruleResolver(aUser('ann'), 'ns')).resourceRules).toEqual([
    { verbs: ['list'], apiGroups: [''], resources: ['pods'] },
  ]);
  expect(await ruleResolver(aUser('system:node:n', 'system:nodes'), 'ns')).toEqual({
    resourceRules: [],
    nonResourceRules: [],
    incomplete: true,
    evaluationError: 'node authorizer does not support user rule resolution',
  });
});

test('combines reasons and errors of all authorizers without an opinion', async () => {
  const answers =
    (reason: string, error?: string): Authorizer =>
    async () =>
      noOpinion(reason, error);
  const union = unionAuthorizer([answers('a', 'x'), answers(''), answers('b', 'y')]);
  expect(await union(aUser('u'), asks('list ns core pods'))).toEqual({
    decision: 'noOpinion',
    reason: 'a\nb',
    error: '[x, y]',
  });
});

test('reconfigures authorizers, and keeps them if the new ones are invalid', async () => {
  const { authorizer, reconfigure } = reconfigurableAuthorization(ports);
  const decided = async () => (await authorizer(aUser('bob'), asks('list ns core pods'))).decision;
  expect(await decided()).toBe('noOpinion');
  reconfigure([ABAC]);
  expect(await decided()).toBe('allow');
  const config = { url: 'https://hook.example', caBundle: '' };
  const times = { timeoutSeconds: 1, authorizedTtl: 0, unauthorizedTtl: 0 };
  const webhook = { config, ...times, failurePolicy: 'Deny', matchConditions: [] } as const;
  expect(() => reconfigure([{ type: 'Webhook', name: 'hook', webhook }])).toThrow(TypeError);
  expect(await decided()).toBe('allow');
});

test('counts decisions, but not missing opinions', async () => {
  const metrics = new AuthorizationMetrics(new ManualClock());
  const { authorizer } = authorization({ ...ports, metrics }, [ABAC, { type: 'RBAC' }]);
  for (const name of ['ann', 'bob', 'eve']) await authorizer(aUser(name), asks('list ns core pods'));
  const [decisions] = metrics.collect();
  expect(decisions?.samples.map(({ labels, value }) => [...Object.values(labels), value])).toEqual([
    ['RBAC', 'rbac', 'allowed', 1],
    ['ABAC', 'abac', 'allowed', 1],
  ]);
});
