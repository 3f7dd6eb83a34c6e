import { describe, expect, test } from 'vitest';
import { defined } from '#lib/machinery/defined.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Attributes } from '#lib/server/authorization/authorizer.ts';
import { policyRuleEvaluator } from './evaluate.ts';
import { parsePolicy } from './parse-policy.ts';

const policyOf = (rules: readonly object[], more: object = {}) =>
  policyRuleEvaluator(parsePolicy(JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules, ...more })));

const NO_RESOURCE = { group: '', version: '', namespace: '', resource: '', subresource: '', name: '' };
const TIM: User = { name: 'tim', groups: ['humans', 'developers'] };

const asked = (verb: string, path: string, resource?: Partial<Attributes>): Attributes => ({
  ...NO_RESOURCE,
  ...resource,
  isResourceRequest: resource !== undefined,
  verb,
  path,
});
const REQUESTS = {
  namespaced: asked('update', '/api/v1/namespaces/default/pods/busybox', {
    version: 'v1',
    namespace: 'default',
    resource: 'pods',
    name: 'busybox',
  }),
  cluster: asked('get', '/apis/rbac.authorization.k8s.io/v1/clusterroles/edit', {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    resource: 'clusterroles',
    name: 'edit',
  }),
  subresource: asked('get', '/api/v1/namespaces/default/pods/busybox/log', {
    version: 'v1',
    namespace: 'default',
    resource: 'pods',
    subresource: 'log',
    name: 'busybox',
  }),
  path: asked('get', '/logs/kubelet.log'),
};
type Request = keyof typeof REQUESTS;

const core = (...resources: string[]) => ({ resources: [{ resources }] });

describe('matching of requests by a rule', () => {
  test.each<[string, object, Request[]]>([
    ['no limit', {}, ['namespaced', 'cluster', 'subresource', 'path']],
    ['the user', { users: ['tim'] }, ['namespaced', 'cluster', 'subresource', 'path']],
    ['another user', { users: ['tina'] }, []],
    ['one group of the user', { userGroups: ['developers', 'x'] }, ['namespaced', 'cluster', 'subresource', 'path']],
    ['another group', { userGroups: ['machines'] }, []],
    ['user, but another group', { users: ['tim'], userGroups: ['machines'] }, []],
    ['a verb', { verbs: ['update', 'patch'] }, ['namespaced']],
    ['a namespace', { namespaces: ['default'] }, ['namespaced', 'subresource']],
    ['no namespace', { namespaces: [''] }, ['cluster']],
    ['another namespace', { namespaces: ['kube-system'] }, []],
    ['all of the core group', { resources: [{ group: '' }] }, ['namespaced', 'subresource']],
    ['all groups', { resources: [{ group: '*' }] }, ['namespaced', 'cluster', 'subresource']],
    ['another group of resources', { resources: [{ group: 'rbac.authorization.k8s.io' }] }, ['cluster']],
    ['a resource without its subresources', core('pods'), ['namespaced']],
    ['a subresource', core('pods/log'), ['subresource']],
    ['a resource and all its subresources', core('pods/*'), ['namespaced', 'subresource']],
    ['a subresource of anything', core('*/log'), ['subresource']],
    ['another subresource of anything', core('*/status'), []],
    ['everything', core('*'), ['namespaced', 'subresource']],
    [
      'an object by name',
      { resources: [{ resources: ['pods', 'pods/log'], resourceNames: ['busybox'] }] },
      ['namespaced', 'subresource'],
    ],
    ['another object by name', { resources: [{ resources: ['*'], resourceNames: ['edit'] }] }, []],
    ['any path', { nonResourceURLs: ['*'] }, ['path']],
    ['a path', { nonResourceURLs: ['/logs/kubelet.log'] }, ['path']],
    ['a path prefix', { nonResourceURLs: ['/logs*'] }, ['path']],
    ['paths below a path', { nonResourceURLs: ['/logs/*'] }, ['path']],
    ['another path', { nonResourceURLs: ['/logs', '/healthz*'] }, []],
  ])('matches by %s', (_, rule, expected) => {
    const evaluate = policyOf([{ level: 'Request', ...rule }]);
    const found = Object.entries(REQUESTS).filter(([, request]) => evaluate(TIM, request).level === 'Request');
    expect(found.map(([name]) => name)).toEqual(expected);
  });

  test.each<[string, object, string]>([
    ['any rule', {}, 'Metadata'],
    ['a user', { users: [''] }, 'None'],
    ['a group', { userGroups: ['system:unauthenticated'] }, 'None'],
  ])('matches an unauthenticated request: %s', (_, rule, level) => {
    expect(policyOf([{ level: 'Metadata', ...rule }])(undefined, REQUESTS.path).level).toBe(level);
  });
});

test('applies the first matching rule, and audits nothing without one', () => {
  const evaluate = policyOf([
    { level: 'None', verbs: ['get'] },
    { level: 'Metadata', namespaces: ['default'] },
    { level: 'RequestResponse' },
  ]);
  expect(evaluate(TIM, REQUESTS.path).level).toBe('None');
  expect(evaluate(TIM, REQUESTS.namespaced).level).toBe('Metadata');
  expect(policyOf([{ level: 'Metadata', verbs: ['list'] }])(TIM, REQUESTS.path).level).toBe('None');
});

test('omits the stages of the policy and of the rule', () => {
  const evaluate = policyOf([{ level: 'Metadata', omitStages: ['Panic'] }], { omitStages: ['RequestReceived'] });
  expect([...evaluate(TIM, REQUESTS.path).omitStages]).toEqual(['RequestReceived', 'Panic']);
});

test.each([
  [undefined, undefined, false],
  [undefined, true, true],
  [true, undefined, true],
  [true, false, false],
])('omits managed fields: policy %s, rule %s', (omitManagedFields, ofRule, omitted) => {
  const rule = { level: 'Request', ...defined({ omitManagedFields: ofRule }) };
  const evaluate = policyOf([rule], omitManagedFields === undefined ? {} : { omitManagedFields });
  expect(evaluate(TIM, REQUESTS.path).omitManagedFields).toBe(omitted);
});
