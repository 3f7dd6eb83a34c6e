import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { defineAggregatedApi, defineAggregatedResource } from '#lib/sdk/extension-apiserver/define-aggregated-api.ts';
import type { SubresourceRequest } from '#lib/sdk/extension-apiserver/storage.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';

const metric = { name: 'http_requests_per_second' };
const TIME = '2026-11-28T12:00:00Z';

interface ExternalMetricValue extends KubernetesObject {
  readonly metricName: string;
  readonly metricLabels: Record<string, string>;
  readonly timestamp: string;
  readonly value: string;
}

/** Queues and their lengths. An autoscaler's selector matches them by their labels. */
const QUEUES = { orders: '30', mails: '500' };
const external = defineAggregatedApi({
  name: 'queues',
  group: 'external.metrics.k8s.io',
  version: 'v1beta1',
  resources: [
    defineAggregatedResource<ExternalMetricValue>({
      name: 'sqs.amazonaws.com|depth',
      kind: 'ExternalMetricValue',
      storage: {
        list: async () => ({
          resourceVersion: '',
          items: Object.entries(QUEUES).map(([queue, value]) => ({
            apiVersion: 'external.metrics.k8s.io/v1beta1',
            kind: 'ExternalMetricValue',
            metadata: { labels: { queue } },
            metricName: 'sqs.amazonaws.com|depth',
            metricLabels: { queue },
            timestamp: TIME,
            value,
          })),
        }),
      },
    }),
  ],
});

const values = (kind: string, names: readonly string[], value: string): JsonObject => ({
  kind: 'MetricValueList',
  apiVersion: 'custom.metrics.k8s.io/v1beta2',
  metadata: {},
  items: names.map((name) => ({
    describedObject: { kind, name },
    metric: { name: 'http_requests_per_second' },
    timestamp: TIME,
    value,
  })),
});
const pods = async ({ query, namespace }: SubresourceRequest): Promise<JsonObject> => {
  const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=${query.get('labelSelector')}`;
  const { body } = await send('GET', path);
  const found = body['items'] as { readonly metadata: { readonly name: string } }[];
  const names = found.map(({ metadata: { name } }) => name);
  return values('Pod', names, '10');
};
/** The metric of a namespace itself. Upstream's clients request it with the resource `metrics`. */
const namespaceMetric = (name: string) => ({
  kind: 'MetricValueList',
  apiVersion: 'custom.metrics.k8s.io/v1beta2',
  metadata: {},
  items: [{ describedObject: { kind: 'Namespace', name }, metric, timestamp: TIME, value: '80' }],
});
const custom = defineAggregatedApi({
  name: 'custom-metrics',
  group: 'custom.metrics.k8s.io',
  version: 'v1beta2',
  resources: [
    {
      name: 'pods',
      kind: 'MetricValueList',
      storage: {},
      subresources: { http_requests_per_second: { handle: pods } },
    },
    {
      name: 'deployments.apps',
      kind: 'MetricValueList',
      storage: {},
      subresources: { http_requests_per_second: { handle: async ({ name }) => values('Deployment', [name], '60') } },
    },
    {
      name: 'metrics',
      kind: 'MetricValueList',
      storage: { get: async (_, { namespace }) => namespaceMetric(namespace) },
    },
    {
      name: 'services',
      kind: 'MetricValueList',
      storage: {},
      subresources: { http_requests_per_second: { handle: async ({ name }) => values('Service', [name], '40') } },
    },
  ],
});

let server: RunningApiserver;
let send: Requester;
beforeAll(async () => {
  server = await startApiserver({ simulatedNodes: 1, aggregatedApis: [external, custom] });
  send = requester(server);
  await eventually(async () => expect((await send('GET', `${HERE}/serviceaccounts/default`)).status).toBe(200));
});
afterAll(() => server.close());

const HERE = '/api/v1/namespaces/default';

const objectMetric = (describedObject: JsonObject): JsonObject => ({
  type: 'Object',
  object: { metric, describedObject, target: { type: 'Value', value: '20' } },
});

test('lists the names of metrics in discovery', async () => {
  const namesOf = async (group: string) => {
    const { body } = await send('GET', `/apis/${group}`);
    return (body['resources'] as { readonly name: string }[]).map(({ name }) => name);
  };
  expect(await namesOf('external.metrics.k8s.io/v1beta1')).toEqual(['sqs.amazonaws.com|depth']);
  expect(await namesOf('custom.metrics.k8s.io/v1beta2')).toContain('deployments.apps/http_requests_per_second');
});

test.each<[string, JsonObject, number]>([
  [
    'external',
    {
      type: 'External',
      external: {
        metric: { name: 'sqs.amazonaws.com|depth', selector: { matchLabels: { queue: 'orders' } } },
        target: { type: 'AverageValue', averageValue: '10' },
      },
    },
    3,
  ],
  ['object', objectMetric({ apiVersion: 'v1', kind: 'Service', name: 'web' }), 2],
  ['object-of-a-group', objectMetric({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'object-of-a-group' }), 3],
  ['namespace', objectMetric({ apiVersion: 'v1', kind: 'Namespace', name: 'default' }), 4],
  ['pods', { type: 'Pods', pods: { metric, target: { type: 'AverageValue', averageValue: '2500m' } } }, 4],
])('an autoscaler scales by a metric of a function: %s', async (name, spec, replicas) => {
  const apps = '/apis/apps/v1/namespaces/default/deployments';
  const selector = { matchLabels: { app: name } };
  const template = { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await send('POST', apps, { metadata: { name }, spec: { replicas: 1, selector, template } });
  const status = async () => (await send('GET', `${apps}/${name}`)).body['status'] as JsonObject;
  await eventually(async () => expect((await status())['readyReplicas']).toBe(1));
  await send('POST', '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
    metadata: { name },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name }, maxReplicas: 10, metrics: [spec] },
  });
  await eventually(async () => expect((await status())['readyReplicas']).toBe(replicas));
  const { body } = await send('GET', `/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/${name}`);
  const conditions = [{ type: 'AbleToScale' }, { type: 'ScalingActive', status: 'True' }, { type: 'ScalingLimited' }];
  expect(body).toMatchObject({ status: { currentMetrics: [{ type: spec['type'] }], conditions } });
});
