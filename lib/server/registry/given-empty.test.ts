import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, type JsonObject, objectAt, ownField } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Requester, requester } from '#test/support/requester.ts';

let server: RunningApiserver;
let request: Requester;

beforeAll(async () => {
  server = await startApiserver({ controllers: false });
  request = requester(server);
  await request('POST', '/api/v1/namespaces', { metadata: { name: 'here' } });
});
afterAll(() => server.close());

const path = (group: string, resource: string): string => `/apis/${group}/v1/namespaces/here/${resource}`;
const pods = { matchLabels: { a: 'b' } };
const template: JsonObject = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};

describe('an empty list or map instead of an absent one', () => {
  test.each<[string, string, JsonObject, JsonObject, number]>([
    [
      'bumps the generation of a network policy',
      path('networking.k8s.io', 'networkpolicies'),
      { podSelector: pods },
      { podSelector: { ...pods, matchExpressions: [] } },
      2,
    ],
    [
      'does not bump the generation of a deployment',
      path('apps', 'deployments'),
      { selector: pods, template },
      { selector: { ...pods, matchExpressions: [] }, template },
      1,
    ],
  ])('an empty list %s', async (_, at, spec, changed, generation) => {
    const created = await request('POST', at, { metadata: { name: 'a' }, spec });
    expect(created.status).toBe(201);
    const { body } = await request('PUT', `${at}/a`, { metadata: { name: 'a' }, spec: changed });
    expect(ownField(objectAt(body, 'metadata'), 'generation')).toBe(generation);
    expect(body['spec']).toEqual(created.body['spec']);
  });

  test.each<[string, string, Json, string]>([
    [
      'scale-down policies',
      path('autoscaling', 'horizontalpodautoscalers').replace('/v1/', '/v2/'),
      {
        maxReplicas: 1,
        scaleTargetRef: { kind: 'Deployment', name: 'd' },
        behavior: { scaleDown: { policies: [] } },
      },
      'spec.behavior.scaleDown.policies: Required value: must specify at least one Policy',
    ],
    [
      'the metadata of a claim template',
      path('resource.k8s.io', 'resourceclaimtemplates'),
      { metadata: { finalizers: [] }, spec: { devices: {} } },
      'spec.metadata.finalizers: Forbidden: cannot be set',
    ],
    [
      'template labels that must match',
      path('apps', 'replicasets'),
      { selector: pods, template: { ...template, metadata: { labels: {} } } },
      'spec.template.metadata.labels: Invalid value: {}: `selector` does not match template `labels`',
    ],
  ])('is rejected with 422 for %s', async (_, at, spec, message) => {
    const { status, body } = await request('POST', at, { metadata: { name: 'b' }, spec });
    expect(status).toBe(422);
    expect(body['message']).toContain(message);
  });
});

test('reports errors of a service’s addresses alone before other errors', async () => {
  const spec = { clusterIP: 'x', sessionAffinity: 'y', ports: [] };
  const { body } = await request('POST', '/api/v1/namespaces/here/services', { metadata: { name: 's' }, spec });
  expect(body['message']).toBe(
    'Service "s" is invalid: spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  );
});

test('escapes an unsupported value as JSON in the message', async () => {
  const spec = { sessionAffinity: '<x>', ports: [{ port: 80 }] };
  const { body } = await request('POST', '/api/v1/namespaces/here/services', { metadata: { name: 'c' }, spec });
  expect(body['message']).toContain(String.raw`Unsupported value: "\u003cx\u003e"`);
});
