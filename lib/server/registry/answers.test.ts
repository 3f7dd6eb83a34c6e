import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Answer, type Requester, requester } from '#test/support/requester.ts';

let server: RunningApiserver;
let request: Requester;

beforeAll(async () => {
  server = await startApiserver({ controllers: false });
  request = requester(server);
  await request('POST', '/api/v1/namespaces', { metadata: { name: 'here' } });
  await request('POST', core('serviceaccounts'), { metadata: { name: 'default' } });
});
afterAll(() => server.close());

const core = (resource: string): string => `/api/v1/namespaces/here/${resource}`;
const JOBS = '/apis/batch/v1/namespaces/here/jobs';
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const template: JsonObject = {
  metadata: { labels: { a: 'b' } },
  spec: { restartPolicy: 'Never', automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] },
};
const message = ({ body }: Answer): Json | undefined => body['message'];
const fieldsOf = ({ body }: Answer): Json[] => {
  const causes = objectAt(body, 'details')?.['causes'];
  return Array.isArray(causes) ? causes.map((cause) => (isObject(cause) ? (cause['field'] ?? null) : null)) : [];
};

describe('a job', () => {
  test('without labels gets those of its pods, and its creator owns only those that were given', async () => {
    const { body } = await request('POST', JOBS, { metadata: { name: 'a' }, spec: { template } });
    const metadata = objectAt(body, 'metadata');
    expect(objectAt(metadata, 'labels')).toMatchObject({ a: 'b', 'job-name': 'a' });
    expect(JSON.stringify(metadata?.['managedFields'])).toContain('{"f:labels":{".":{},"f:a":{}}}');
  });

  test.each<[string, JsonObject, boolean]>([
    ['no options', {}, true],
    ['others', { gracePeriodSeconds: 5 }, true],
    ['a policy', { propagationPolicy: 'Background' }, false],
    ['the old field', { orphanDependents: false }, false],
  ])('warns of remaining pods when it is deleted with %s', async (_, options, warned) => {
    const { warnings } = await request('DELETE', `${JOBS}/none`, options);
    expect(warnings.join().includes('child pods are preserved by default')).toBe(warned);
  });
});

test('answers the deletion of a pod without grace with a terminating pod', async () => {
  await request('POST', core('pods'), { ...template, metadata: { name: 'a' } });
  const { status, body } = await request('DELETE', core('pods/a'));
  expect(status).toBe(200);
  expect(body['metadata']).toMatchObject({
    deletionGracePeriodSeconds: 0,
    deletionTimestamp: expect.any(String),
    generation: 2,
  });
});

describe('metadata', () => {
  test('keep the generation of a kind that counts none', async () => {
    const created = await request('POST', core('configmaps'), { metadata: { name: 'g', generation: 7 } });
    expect(created.body['metadata']).toMatchObject({ generation: 7 });
    const updated = await request('PUT', core('configmaps/g'), { metadata: { name: 'g', generation: 9 } });
    expect(updated.body['metadata']).toMatchObject({ generation: 7 });
    const refused = await request('POST', core('configmaps'), { metadata: { name: 'h', generation: -1 } });
    expect(fieldsOf(refused)).toEqual(['metadata.generation']);
  });

  test('warn of duplicate owners by uid', async () => {
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'u' };
    const twice = { name: 'o', ownerReferences: [owner, owner] };
    const created = await request('POST', core('configmaps'), { metadata: twice });
    expect(created.warnings.join()).toMatch(/duplicate entries; .*UID\(s\) observed: u"$/);
    const renamed = { ...owner, name: 'y' };
    const patch = { metadata: { ownerReferences: [renamed, renamed] } };
    const patched = await request('PATCH', core('configmaps/o'), patch);
    expect(patched.warnings.join()).toMatch(/duplicate entries after mutating admission happens; .*observed: u"$/);
  });

  test.each<[string, string, JsonObject, string[]]>([
    ['an event', core('events'), { metadata: { name: 'Bad_x' }, involvedObject: { namespace: 'here' } }, []],
    ['a budget', '/apis/policy/v1/namespaces/here/poddisruptionbudgets', { metadata: { name: 'Bad_x' }, spec: {} }, []],
    [
      'an event of the new group',
      '/apis/events.k8s.io/v1/namespaces/here/events',
      {
        metadata: { name: 'Bad_x' },
        eventTime: '2026-01-01T00:00:00.000000Z',
        type: 'Normal',
        regarding: { namespace: 'here' },
      },
      [
        'reportingController',
        'reportingController',
        'reportingController',
        'reportingInstance',
        'action',
        'reason',
        'metadata.name',
      ],
    ],
    [
      'a controller',
      core('replicationcontrollers'),
      {
        metadata: { generateName: 'Bad_' },
        spec: { template: { ...template, spec: { ...objectAt(template, 'spec'), restartPolicy: 'Always' } } },
      },
      ['metadata.name'],
    ],
  ])('of %s are judged by its kind', async (_, path, object, fields) => {
    const answer = await request('POST', path, object);
    expect(fieldsOf(answer)).toEqual(fields);
    expect(objectAt(answer.body, 'details')?.['group']).toBeUndefined();
  });
});

describe('an empty list that a kind must have', () => {
  const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/here/roles';
  const ranges = core('limitranges');
  test.each<[string, string, JsonObject, boolean]>([
    ['is its writer’s', roles, { rules: [] }, true],
    ['is nobody’s where it is absent', roles, {}, false],
    ['is nobody’s where it is null', roles, { rules: null }, false],
    ['is its writer’s in roles of the cluster', '/apis/rbac.authorization.k8s.io/v1/clusterroles', { rules: [] }, true],
    ['is its writer’s further down too', ranges, { spec: { limits: [] } }, true],
  ])('%s', async (_, path, rest, owned) => {
    const { body } = await request('POST', `${path}?dryRun=All`, { metadata: { name: 'e' }, ...rest });
    expect(JSON.stringify(body['metadata']).includes('managedFields')).toBe(owned);
  });
});

test('attributes defaults of an older version to their writer', async () => {
  const spec = { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } };
  const path = '/apis/autoscaling/v1/namespaces/here/horizontalpodautoscalers';
  const { body } = await request('POST', path, { metadata: { name: 'h' }, spec });
  expect(body['spec']).toMatchObject({ minReplicas: 1, targetCPUUtilizationPercentage: 80 });
  expect(JSON.stringify(body['metadata'])).toContain('"f:minReplicas":{}');
  expect(JSON.stringify(body['metadata'])).toContain('"f:targetCPUUtilizationPercentage":{}');
});

test('accepts a deletion with orphanDependents that is not done yet', async () => {
  const held = { name: 'held', finalizers: ['example.com/hold'] };
  await request('POST', core('configmaps'), { metadata: held });
  expect((await request('DELETE', core('configmaps/held'), { orphanDependents: false })).status).toBe(202);
  expect((await request('DELETE', core('configmaps/held'))).status).toBe(200);
});

test('refuses another uid with upstream’s storage path of the object', async () => {
  await request('POST', core('endpoints'), { metadata: { name: 'e' } });
  const answer = await request('PUT', core('endpoints/e'), { metadata: { name: 'e', uid: 'x' } });
  expect(message(answer)).toContain('Key: /registry/services/endpoints/here/e,');
});

describe('the forms of answers', () => {
  test('refuse a watch in YAML', async () => {
    const answer = await requester(server, { accept: 'application/yaml' })('GET', `${core('pods')}?watch=1`);
    expect(answer.status).toBe(406);
    expect(answer.body['text']).toContain('accepted: application/json;stream=watch,');
  });

  test('give a table without rows the columns of its printer', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/here/roles';
    expect((await requester(server, TABLE)('GET', roles)).body['rows']).toBeNull();
    expect((await requester(server, TABLE)('GET', core('secrets'))).body['rows']).toEqual([]);
  });

  test('refuse a table with objects of a third kind', async () => {
    expect(message(await requester(server, TABLE)('GET', `${core('secrets')}?includeObject=bad`))).toBe(
      "Unable to convert to Table as requested: includeObject: Invalid value: \"bad\": must be 'Metadata', 'Object', 'None', or empty",
    );
  });
});
