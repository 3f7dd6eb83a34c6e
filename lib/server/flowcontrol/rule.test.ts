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

describe('a request is of a schema', () => {
  test.each<[string, JsonObject[], JsonObject, RequestDigest['user'], RequestDigest['info'], boolean]>([
    ['by its user', [user('ada')], urls('*'), ada, to('/x'), true],
    ['of any user', [user('*')], urls('*'), ada, to('/x'), true],
    ['not by another user', [user('bob')], urls('*'), ada, to('/x'), false],
    ['by one of the groups', [user('bob'), group('devs')], urls('*'), ada, to('/x'), true],
    ["of any group, also of nobody's", [group('*')], urls('*'), robot, to('/x'), true],
    ['not by another group', [group('ops')], urls('*'), ada, to('/x'), false],
    ['by its account', [account('ci', 'robot')], urls('*'), robot, to('/x'), true],
    ['by any account of the namespace', [account('ci', '*')], urls('*'), robot, to('/x'), true],
    ['not by the account of another namespace', [account('c', '*')], urls('*'), robot, to('/x'), false],
    ['not by what no kind of subject is', [{ kind: 'Robot' }], urls('*'), ada, to('/x'), false],
    [
      'not by a subject that is not described',
      [{ kind: 'User' }],
      urls('*'),
      { name: '', groups: [] },
      to('/x'),
      false,
    ],
    ['at its path', [user('*')], urls('/healthz'), ada, to('/healthz'), true],
    ['below its path', [user('*')], urls('/healthz'), ada, to('/healthz/etcd'), true],
    ['below a path with a star', [user('*')], urls('/api/*'), ada, to('/api/v1'), true],
    ['not beside its path', [user('*')], urls('/healthz'), ada, to('/healthzz'), false],
    ['not with another verb', [user('*')], urls('*'), ada, to('/x', 'post'), false],
    ['not where it is a resource', [user('*')], urls('*'), ada, of('pods', 'a'), false],
    ['in any namespace', [user('*')], resources({}), ada, of('pods', 'a'), true],
    ['in its namespace', [user('*')], resources({ namespaces: ['a', 'b'] }), ada, of('pods', 'b'), true],
    ['not in another', [user('*')], resources({ namespaces: ['a'] }), ada, of('pods', 'b'), false],
    ['not at the cluster unless it says so', [user('*')], resources({}), ada, of('nodes'), false],
    ['at the cluster', [user('*')], resources({ clusterScope: true }), ada, of('nodes'), true],
    ['by its subresource', [user('*')], resources({ resources: ['pods/status'] }), ada, of('pods/status', 'a'), true],
    ['not by the resource of it', [user('*')], resources({ resources: ['pods'] }), ada, of('pods/status', 'a'), false],
    ['not in another API group', [user('*')], resources({ apiGroups: ['apps'] }), ada, of('pods', 'a'), false],
    ['a star among others is a name', [user('*')], resources({ verbs: ['*', 'list'] }), ada, of('pods', 'a'), false],
  ])('%s', (_, subjects, asked, who, info, expected) => {
    expect(matches({ user: who, info }, schema(subjects, asked))).toBe(expected);
  });
});

describe('the configuration', () => {
  const named = (name: string, matchingPrecedence: number, level: string) =>
    schemaOf({ metadata: { name }, spec: { matchingPrecedence, priorityLevelConfiguration: { name: level } } });
  const level = levelOf({ metadata: { name: 'low', uid: 'u' }, spec: { type: 'Limited' } });

  test('has what is mandatory, whatever is stored', () => {
    const { schemas, levels } = configurationOf([], []);
    expect(schemas.map(({ name }) => name)).toEqual(['exempt', 'catch-all']);
    expect(levels.map(({ name, exempt, shares }) => [name, exempt, shares])).toEqual([
      ['exempt', true, 0],
      ['catch-all', false, 5],
    ]);
  });

  test('is tried by precedence, then by name, without schemas whose level lacks', () => {
    const given = [named('b', 7, 'low'), named('a', 7, 'low'), named('first', 2, 'low'), named('lost', 3, 'gone')];
    const { schemas } = configurationOf(given, [level]);
    expect(schemas.map(({ name }) => name)).toEqual(['exempt', 'first', 'a', 'b', 'catch-all']);
  });

  test('an object in place of a mandatory one is taken', () => {
    const own = schemaOf({
      metadata: { name: 'catch-all', uid: 'own' },
      spec: { matchingPrecedence: 10_000, priorityLevelConfiguration: { name: 'low' } },
    });
    expect(configurationOf([own], [level]).schemas.at(-1)).toBe(own);
  });
});
