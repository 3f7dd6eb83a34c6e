import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { openPlatform } from '#functions/apiserver/platform.ts';
import { metricsServer } from '#functions/metrics-server/wiring.ts';
import { builtInReconcilers, ControllerTokens } from '#functions/reconcilers/wiring.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aggregatedApiRegistration } from '#lib/sdk/extension-apiserver/registration.ts';
import { METRICS_VERSION } from '#lib/sdk/metrics-server/objects.ts';
import { localTable } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { startGatewayCluster } from '#test/support/gateway/cluster.ts';
import { installRuntimeClient } from '#test/support/lambda/install.ts';
import { inEnvironments, startLambdaApi } from '#test/support/lambda/lambda-api.ts';
import { needing } from '#test/support/skip.ts';
import { bundle } from '../../../infra/bundle/bundle.ts';

const FUNCTION = 'davit-metrics-server-1';
const MI = 1024 * 1024;
const runtime = await installRuntimeClient();
const database = await startDynamoDbLocal();
const NODES = { ...METRICS_VERSION, resource: 'nodes' };
const PODS = { ...METRICS_VERSION, resource: 'pods' };
const CORE_PODS = { group: '', version: 'v1', resource: 'pods' };
const AUTOSCALERS = { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' };
const REPLICA_SETS = { group: 'apps', version: 'v1', resource: 'replicasets' };
const BEGUN = Date.now() - 3_600_000;

/** The metrics of a node where `web` uses a quarter of a core, in the agent's format, which has no times. */
function metrics(): string {
  const used = (cores: number): number => (cores * (Date.now() - BEGUN)) / 1000;
  const labels = '{container="main",namespace="default",pod="web"}';
  return [
    `node_cpu_usage_seconds_total ${used(1.5)}`,
    `node_memory_working_set_bytes ${1024 * MI}`,
    `container_cpu_usage_seconds_total${labels} ${used(0.25)}`,
    `container_memory_working_set_bytes${labels} ${10 * MI}`,
    '',
  ].join('\n');
}

/** A quantity in nanocores. */
const coresOf = (cpu: unknown): number => Number.parseInt(String(cpu), 10) * (String(cpu).endsWith('n') ? 1 : 1e6);

/**
 * The functions in an account with the metrics API: the API server and the bundle of the metrics API, which the runtime's own program runs.
 */
async function start(program: string, endpoint: string) {
  const folder = mkdtempSync(join(tmpdir(), 'davit-metrics-'));
  bundle('metrics-server', folder);
  const name = `davit-${randomUUID()}`;
  const table = await localTable(endpoint, name);
  const invoked: object[] = [];
  const lambda = await startLambdaApi({
    [FUNCTION]: (event) => {
      invoked.push(event);
      return environments.run(event);
    },
  });
  // The client of each API server in this process.
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_LAMBDA: lambda.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
  const requests = { cpu: '500m', memory: '20Mi' };
  const web = { containers: [{ name: 'main', image: 'i', resources: { requests } }] };
  const cluster = await startGatewayCluster({ web }, table);
  const environments = inEnvironments({
    runtime: program,
    bundle: folder,
    timeout: 60_000,
    env: {
      DAVIT_TABLE: name,
      DAVIT_CLUSTER_ID: 'test',
      DAVIT_ADMIN: 'arn:aws:iam::123456789012:role/Admin',
      DAVIT_CHANNEL_URL: cluster.channelUrl,
      DAVIT_METRIC_RESOLUTION: '60s',
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    },
  });
  const scraped: string[] = [];
  cluster.node.on('/metrics/resource', {
    request(request, response) {
      scraped.push(request.url ?? '');
      response.setHeader('content-type', 'text/plain; version=0.0.4').end(metrics());
    },
  });
  const { declaration } = metricsServer({
    handle: () => Promise.reject(new Error('not asked')),
    clock: systemClock,
    resolution: 0,
    onFault: () => undefined,
  });
  return {
    ...cluster,
    table,
    invoked,
    scraped,
    register: () =>
      aggregatedApiRegistration(cluster.client, {
        declarations: () => [declaration],
        functionName: () => FUNCTION,
      }).reconcile('all'),
    async close() {
      await cluster[Symbol.asyncDispose]();
      await environments.stop();
      await lambda.close();
      rmSync(folder, { recursive: true });
    },
  };
}

describe('the metrics API as a function of an account', needing(runtime, database), () => {
  let world: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    if ('missing' in runtime || 'missing' in database) throw new Error('the test skips');
    world = await start(runtime.path, database.endpoint);
    await world.register();
  });
  afterAll(async () => {
    await world?.close();
    if (!('missing' in database)) await database.stop();
  });

  test('scrapes no node until a client requests metrics', async () => {
    expect([world.invoked, world.scraped]).toEqual([[], []]);
  });

  test('measures nodes and pods via the channel of the node, with one pair of scrapes', async () => {
    const [node] = await world.client.list(NODES);
    expect(node).toMatchObject({ metadata: { name: 'n1' }, usage: { memory: '1Gi' } });
    const { cpu } = (node as { usage: { cpu: string } }).usage;
    expect(Math.abs(coresOf(cpu) / 1.5e9 - 1)).toBeLessThan(0.3); // the first response may take longer than the second
    const [pod] = await world.client.list(PODS, { namespace: 'default' });
    expect(pod).toMatchObject({ metadata: { name: 'web' }, containers: [{ name: 'main', usage: { memory: '10Mi' } }] });
    expect(world.scraped).toHaveLength(2);
    expect(world.invoked).toHaveLength(2);
  });

  test('reports what it does not know', async () => {
    expect(await world.client.get({ resource: PODS, namespace: 'default', name: 'none' })).toBeUndefined();
    expect(world.scraped).toHaveLength(2);
  });

  test('is read by the autoscaler of the built-in reconcilers, which have an API server of their own', async () => {
    const { client, config, table } = world;
    const web = { matchLabels: { app: 'web' } };
    const template = { metadata: { labels: web.matchLabels }, spec: { containers: [{ name: 'main', image: 'i' }] } };
    await client.patch(
      { resource: CORE_PODS, namespace: 'default', name: 'web' },
      { metadata: { labels: web.matchLabels } },
    );
    const metadata = { name: 'web', namespace: 'default' };
    await client.create(REPLICA_SETS, { metadata, spec: { replicas: 1, selector: web, template } });
    const target = { type: 'Utilization', averageUtilization: 10 };
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web' };
    const spec = {
      scaleTargetRef,
      maxReplicas: 4,
      metrics: [{ type: 'Resource', resource: { name: 'memory', target } }],
    };
    await client.create(AUTOSCALERS, { metadata, spec });

    const tokens = new ControllerTokens();
    const { server } = await openPlatform(config, 'localhost:443', new Map(tokens.users()), { table });
    const reconcilers = builtInReconcilers(server, tokens, {
      authority: '',
      address: { host: 'localhost', port: 443 },
      clock: systemClock,
      events: new EventCorrelator(systemClock),
      controllers: ['horizontal-pod-autoscaler-controller'],
    });
    const autoscaler = reconcilers.find(({ name }) => name === 'horizontal-pod-autoscaler');
    await autoscaler?.reconcile('default/web', new AbortController().signal);
    await server.close();
    const { status } = (await client.get({ resource: AUTOSCALERS, namespace: 'default', name: 'web' })) as {
      status: JsonObject;
    };
    expect(status).toMatchObject({
      desiredReplicas: 4,
      currentMetrics: [{ resource: { name: 'memory', current: { averageUtilization: 50 } } }],
    });
    expect(world.scraped).toHaveLength(2); // its function keeps the points in memory
  });
});
