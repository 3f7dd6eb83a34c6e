import { join } from 'node:path';
import { CloudWatchClient, PutMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { eventually } from '#test/support/eventually.ts';
import { credentials, region, startMinistack } from '#test/support/ministack/start.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { needing } from '#test/support/skip.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/cloudwatch-metrics');
const METRICS = '/apis/external.metrics.k8s.io/v1beta1/namespaces/default';
const DEPLOYMENT = '/apis/apps/v1/namespaces/default/deployments/worker';
const AUTOSCALERS = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const ministack = await startMinistack();

describe('external metrics of CloudWatch', needing(ministack), () => {
  const endpoint = 'endpoint' in ministack ? ministack.endpoint : '';
  let server: RunningApiserver;
  let send: Requester;
  /** The environment that the platform sets for a function. */
  const environment = {
    AWS_ENDPOINT_URL_CLOUDWATCH: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };

  beforeAll(async () => {
    const cloudWatch = new CloudWatchClient({ endpoint, region, credentials });
    const lengths = { orders: [12, 30], mails: [500] };
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    await cloudWatch.send(
      new PutMetricDataCommand({
        Namespace: 'AWS/SQS',
        MetricData: Object.entries(lengths).flatMap(([QueueName, values]) =>
          values.map((value, index) => ({
            MetricName: 'ApproximateNumberOfMessagesVisible',
            Dimensions: [{ Name: 'QueueName', Value: QueueName }],
            Timestamp: new Date(minute - (values.length - index) * 60_000),
            Value: value,
          })),
        ),
      }),
    );
    cloudWatch.destroy();
    Object.assign(process.env, environment);
    server = await startApiserver({ simulatedNodes: 1, functionsFolder: EXAMPLE });
    send = requester(server);
    await eventually(async () =>
      expect((await send('GET', '/api/v1/namespaces/default/serviceaccounts/default')).status).toBe(200),
    );
  });
  afterAll(async () => {
    await server.close();
    for (const name of Object.keys(environment)) delete process.env[name];
    if ('stop' in ministack) await ministack.stop();
  });

  test('lists the newest points of the series that a selector matches', async () => {
    const { body } = await send('GET', `${METRICS}/queue-length?labelSelector=queue%3Dorders`);
    expect(body).toMatchObject({
      kind: 'ExternalMetricValueList',
      items: [{ metricName: 'queue-length', metricLabels: { queue: 'orders' }, value: '30' }],
    });
    expect((await send('GET', `${METRICS}/queue-length`)).body['items']).toHaveLength(2);
    expect((await send('GET', `${METRICS}/page-views`)).body['items']).toEqual([]);
    expect((await send('GET', `${METRICS}/others`)).status).toBe(404);
  });

  test('an autoscaler follows a metric, and keeps the replicas while it has no points', async () => {
    const metadata = { name: 'worker' };
    const template = { metadata: { labels: { app: 'worker' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const selector = { matchLabels: { app: 'worker' } };
    const kind = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'worker' };
    const scaler = (metric: JsonObject) => ({
      metadata,
      spec: {
        scaleTargetRef: kind,
        maxReplicas: 10,
        metrics: [{ type: 'External', external: { metric, target: { type: 'AverageValue', averageValue: '10' } } }],
      },
    });
    const isReady = async (replicas: number): Promise<boolean> =>
      ((await send('GET', DEPLOYMENT)).body['status'] as JsonObject)['readyReplicas'] === replicas;
    const condition = async () => {
      const { conditions = [] } = (await send('GET', `${AUTOSCALERS}/worker`)).body['status'] as {
        readonly conditions?: readonly { readonly type: string; readonly reason: string; readonly message: string }[];
      };
      return conditions.find(({ type }) => type === 'ScalingActive');
    };
    await send('POST', '/apis/apps/v1/namespaces/default/deployments', { metadata, spec: { selector, template } });
    await eventually(() => isReady(1));
    await send('POST', AUTOSCALERS, scaler({ name: 'queue-length', selector: { matchLabels: { queue: 'orders' } } }));
    await eventually(() => isReady(3));

    const patch = scaler({ name: 'page-views' });
    const { body } = await send('GET', `${AUTOSCALERS}/worker`);
    await send('PUT', `${AUTOSCALERS}/worker`, { ...body, spec: patch.spec });
    await eventually(async () => expect((await condition())?.reason).toBe('FailedGetExternalMetric'));
    expect((await condition())?.message).toContain('no metrics returned from external metrics API');
    expect(await isReady(3)).toBe(true);
  });
});
