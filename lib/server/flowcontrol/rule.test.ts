import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { FLOW_SCHEMAS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { configurationOf, levelOf, schemaOf } from './configuration.ts';
import { matches, type RequestDigest } from './rule.ts';

const NOTHING: RequestDigest['info'] = {
  isResourceRequest: false,
  path: '',
  verb: 'get',
  group: '',
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
};
const ada = { name: 'ada', groups: ['devs'] };
const robot = { name: 'system:serviceaccount:ci:robot', groups: [] };
const to = (path: string, verb = 'get') => ({ ...NOTHING, path, verb });
const of = (resource: string, namespace = '', verb = 'get', group = '') => {
  const [name = '', subresource = ''] = resource.split('/');
  return { ...NOTHING, isResourceRequest: true, resource: name, subresource, namespace, verb, group };
};
const group = (name: string): JsonObject => ({ kind: 'Group', group: { name } });
const user = (name: string): JsonObject => ({ kind: 'User', user: { name } });
const account = (namespace: string, name: string): JsonObject => ({
  kind: 'ServiceAccount',
  serviceAccount: { namespace, name },
});
const urls = (...nonResourceURLs: string[]): JsonObject => ({
  nonResourceRules: [{ verbs: ['get'], nonResourceURLs }],
});
const resources = (rule: JsonObject): JsonObject => ({
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], ...rule }],
});
const schema = (subjects: JsonObject[], asked: JsonObject) =>
  schemaOf(decodedAs(FLOW_SCHEMAS, { metadata: { name: 'x' }, spec: { rules: [{ subjects, ...asked }] } }));

describe('matching of flow schemas', () => {
  test.each<[string, JsonObject[], JsonObject, RequestDigest['user'], RequestDigest['info'], boolean]>([
    ['matches its user', [user('ada')], urls('*'), ada, to('/x'), true],
    ['matches any user', [user('*')], urls('*'), ada, to('/x'), true],
    ['does not match another user', [user('bob')], urls('*'), ada, to('/x'), false],
    ['matches one of the groups', [user('bob'), group('devs')], urls('*'), ada, to('/x'), true],
    ['matches any group, even for a user without groups', [group('*')], urls('*'), robot, to('/x'), true],
    ['does not match another group', [group('ops')], urls('*'), ada, to('/x'), false],
    ['matches its service account', [account('ci', 'robot')], urls('*'), robot, to('/x'), true],
    ['matches any service account of the namespace', [account('ci', '*')], urls('*'), robot, to('/x'), true],
    ['does not match a service account of another namespace', [account('c', '*')], urls('*'), robot, to('/x'), false],
    ['does not match an unknown kind of subject', [{ kind: 'Robot' }], urls('*'), ada, to('/x'), false],
    [
      'does not match a subject without a description',
      [{ kind: 'User' }],
      urls('*'),
      { name: '', groups: [] },
      to('/x'),
      false,
    ],
    ['matches its exact path', [user('*')], urls('/healthz'), ada, to('/healthz'), true],
    ['matches a path below its path', [user('*')], urls('/healthz'), ada, to('/healthz/etcd'), true],
    ['matches a path below a path with a star', [user('*')], urls('/api/*'), ada, to('/api/v1'), true],
    ['does not match a path with the same prefix', [user('*')], urls('/healthz'), ada, to('/healthzz'), false],
    ['does not match another verb', [user('*')], urls('*'), ada, to('/x', 'post'), false],
    ['does not match a resource by URL', [user('*')], urls('*'), ada, of('pods', 'a'), false],
    ['matches any namespace', [user('*')], resources({}), ada, of('pods', 'a'), true],
    ['matches its namespaces', [user('*')], resources({ namespaces: ['a', 'b'] }), ada, of('pods', 'b'), true],
    ['does not match another namespace', [user('*')], resources({ namespaces: ['a'] }), ada, of('pods', 'b'), false],
    ['does not match cluster-scoped requests by default', [user('*')], resources({}), ada, of('nodes'), false],
    [
      'matches cluster-scoped requests with clusterScope',
      [user('*')],
      resources({ clusterScope: true }),
      ada,
      of('nodes'),
      true,
    ],
    [
      'matches its subresource',
      [user('*')],
      resources({ resources: ['pods/status'] }),
      ada,
      of('pods/status', 'a'),
      true,
    ],
    [
      'does not match a subresource by its resource',
      [user('*')],
      resources({ resources: ['pods'] }),
      ada,
      of('pods/status', 'a'),
      false,
    ],
    ['does not match another API group', [user('*')], resources({ apiGroups: ['apps'] }), ada, of('pods', 'a'), false],
    [
      'does not treat a star among other values as everything',
      [user('*')],
      resources({ verbs: ['*', 'list'] }),
      ada,
      of('pods', 'a'),
      false,
    ],
  ])('a rule %s', (_, subjects, asked, who, info, expected) => {
    expect(matches({ user: who, info }, schema(subjects, asked))).toBe(expected);
  });
});

describe('the configuration of levels and schemas', () => {
  const named = (name: string, matchingPrecedence: number, level: string) =>
    schemaOf({ metadata: { name }, spec: { matchingPrecedence, priorityLevelConfiguration: { name: level } } });
  const level = levelOf({ metadata: { name: 'low', uid: 'u' }, spec: { type: 'Limited' } });

  test('always contains the mandatory objects', () => {
    const { schemas, levels } = configurationOf([], []);
    expect(schemas.map(({ name }) => name)).toEqual(['exempt', 'catch-all']);
    expect(levels.map(({ name, exempt, shares }) => [name, exempt, shares])).toEqual([
      ['exempt', true, 0],
      ['catch-all', false, 5],
    ]);
  });

  test('sorts schemas by precedence and name, and omits those without a level', () => {
    const given = [named('b', 7, 'low'), named('a', 7, 'low'), named('first', 2, 'low'), named('lost', 3, 'gone')];
    const { schemas } = configurationOf(given, [level]);
    expect(schemas.map(({ name }) => name)).toEqual(['exempt', 'first', 'a', 'b', 'catch-all']);
  });

  test('prefers a stored object to a mandatory one', () => {
    const own = schemaOf({
      metadata: { name: 'catch-all', uid: 'own' },
      spec: { matchingPrecedence: 10_000, priorityLevelConfiguration: { name: 'low' } },
    });
    expect(configurationOf([own], [level]).schemas.at(-1)).toBe(own);
  });
});
