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

describe('creation and deletion of a job', () => {
  test('copies pod labels to a job without labels and records only those in managedFields', async () => {
    const { body } = await request('POST', JOBS, { metadata: { name: 'a' }, spec: { template } });
    const metadata = objectAt(body, 'metadata');
    expect(objectAt(metadata, 'labels')).toMatchObject({ a: 'b', 'job-name': 'a' });
    expect(JSON.stringify(metadata?.['managedFields'])).toContain('{"f:labels":{".":{},"f:a":{}}}');
  });

  test.each<[string, JsonObject, boolean]>([
    ['no options', {}, true],
    ['other options', { gracePeriodSeconds: 5 }, true],
    ['a propagation policy', { propagationPolicy: 'Background' }, false],
    ['orphanDependents', { orphanDependents: false }, false],
  ])('warns about remaining pods only if a delete sets no propagation: %s', async (_, options, warned) => {
    const { warnings } = await request('DELETE', `${JOBS}/none`, options);
    expect(warnings.join().includes('child pods are preserved by default')).toBe(warned);
  });
});

test('returns a terminating pod for a delete without a grace period', async () => {
  await request('POST', core('pods'), { ...template, metadata: { name: 'a' } });
  const { status, body } = await request('DELETE', core('pods/a'));
  expect(status).toBe(200);
  expect(body['metadata']).toMatchObject({
    deletionGracePeriodSeconds: 0,
    deletionTimestamp: expect.any(String),
    generation: 2,
  });
});

describe('metadata of created objects', () => {
  test('keeps the initial generation of a kind that does not count generations', async () => {
    const created = await request('POST', core('configmaps'), { metadata: { name: 'g', generation: 7 } });
    expect(created.body['metadata']).toMatchObject({ generation: 7 });
    const updated = await request('PUT', core('configmaps/g'), { metadata: { name: 'g', generation: 9 } });
    expect(updated.body['metadata']).toMatchObject({ generation: 7 });
    const refused = await request('POST', core('configmaps'), { metadata: { name: 'h', generation: -1 } });
    expect(fieldsOf(refused)).toEqual(['metadata.generation']);
  });

  test('warns about duplicate owner references with the same uid', async () => {
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
    [
      'a disruption budget',
      '/apis/policy/v1/namespaces/here/poddisruptionbudgets',
      { metadata: { name: 'Bad_x' }, spec: {} },
      [],
    ],
    [
      'an event of events.k8s.io',
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
      'a replication controller',
      core('replicationcontrollers'),
      {
        metadata: { generateName: 'Bad_' },
        spec: { template: { ...template, spec: { ...objectAt(template, 'spec'), restartPolicy: 'Always' } } },
      },
      ['metadata.name'],
    ],
  ])('reports name errors by the rules of the kind: %s', async (_, path, object, fields) => {
    const answer = await request('POST', path, object);
    expect(fieldsOf(answer)).toEqual(fields);
    expect(objectAt(answer.body, 'details')?.['group']).toBeUndefined();
  });
});

describe('ownership of a required empty list', () => {
  const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/here/roles';
  const ranges = core('limitranges');
  test.each<[string, string, JsonObject, boolean]>([
    ['is owned by its writer if set to empty', roles, { rules: [] }, true],
    ['has no owner if absent', roles, {}, false],
    ['has no owner if null', roles, { rules: null }, false],
    ['is owned by its writer in cluster roles', '/apis/rbac.authorization.k8s.io/v1/clusterroles', { rules: [] }, true],
    ['is owned by its writer in nested fields', ranges, { spec: { limits: [] } }, true],
  ])('a required list %s', async (_, path, rest, owned) => {
    const { body } = await request('POST', `${path}?dryRun=All`, { metadata: { name: 'e' }, ...rest });
    expect(JSON.stringify(body['metadata']).includes('managedFields')).toBe(owned);
  });
});

test('records the writer as the owner of defaults of an older version', async () => {
  const spec = { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } };
  const path = '/apis/autoscaling/v1/namespaces/here/horizontalpodautoscalers';
  const { body } = await request('POST', path, { metadata: { name: 'h' }, spec });
  expect(body['spec']).toMatchObject({ minReplicas: 1, targetCPUUtilizationPercentage: 80 });
  expect(JSON.stringify(body['metadata'])).toContain('"f:minReplicas":{}');
  expect(JSON.stringify(body['metadata'])).toContain('"f:targetCPUUtilizationPercentage":{}');
});

test('returns 202 for an unfinished deletion with orphanDependents', async () => {
  const held = { name: 'held', finalizers: ['example.com/hold'] };
  await request('POST', core('configmaps'), { metadata: held });
  expect((await request('DELETE', core('configmaps/held'), { orphanDependents: false })).status).toBe(202);
  expect((await request('DELETE', core('configmaps/held'))).status).toBe(200);
});

test('rejects another uid with upstream’s storage path in the message', async () => {
  await request('POST', core('endpoints'), { metadata: { name: 'e' } });
  const answer = await request('PUT', core('endpoints/e'), { metadata: { name: 'e', uid: 'x' } });
  expect(message(answer)).toContain('Key: /registry/services/endpoints/here/e,');
});

describe('YAML and table responses', () => {
  test('rejects a watch in YAML with 406', async () => {
    const answer = await requester(server, { accept: 'application/yaml' })('GET', `${core('pods')}?watch=1`);
    expect(answer.status).toBe(406);
    expect(answer.body['text']).toContain('accepted: application/json;stream=watch,');
  });

  test('returns null or empty rows for an empty table, depending on the printer', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/here/roles';
    expect((await requester(server, TABLE)('GET', roles)).body['rows']).toBeNull();
    expect((await requester(server, TABLE)('GET', core('secrets'))).body['rows']).toEqual([]);
  });

  test('rejects an unknown includeObject value', async () => {
    expect(message(await requester(server, TABLE)('GET', `${core('secrets')}?includeObject=bad`))).toBe(
      "Unable to convert to Table as requested: includeObject: Invalid value: \"bad\": must be 'Metadata', 'Object', 'None', or empty",
    );
  });
});
