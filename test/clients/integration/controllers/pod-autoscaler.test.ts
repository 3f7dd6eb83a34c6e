import { describe, expect, test } from 'vitest';
import type { Client } from '#lib/client/client.ts';
import { podAutoscaler } from '#lib/controllers/pod-autoscaler/reconcile.ts';
import { arrayAt, isObject, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { core, DEFINITIONS, definition, NAMESPACES, refOf, WIDGETS } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const AUTOSCALERS = { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' };
const DEPLOYMENTS = { group: 'apps', version: 'v1', resource: 'deployments' };
const SCALER = refOf(AUTOSCALERS, 'here', 'web');

/** A client whose aggregated metrics server returns these values, in thousandths of a core for each pod. */
const measured = (client: Client, world: World, cpu: number): Client => ({
  ...client,
  get: (ref, options) => client.get(ref, options),
  list: (resource, options) => client.list(resource, options),
  create: (resource, object) => client.create(resource, object),
  update: (ref, object, subresource) => client.update(ref, object, subresource),
  patch: (ref, patch, subresource) => client.patch(ref, patch, subresource),
  async document(path, accept) {
    if (!path.startsWith('/apis/metrics.k8s.io/')) return client.document(path, accept);
    const pods = await world.user.list(core('pods'), { namespace: 'here' });
    const timestamp = new Date(world.clock.now()).toISOString();
    const containers = [{ name: 'c', usage: { cpu: `${cpu}m` } }];
    return { items: pods.map((pod) => ({ metadata: pod['metadata'] ?? {}, timestamp, window: '30s', containers })) };
  },
});

const withCpu =
  (cpu: number): Reconcilers =>
  (client, clock, world) => [podAutoscaler(measured(client, world, cpu), clock)];
const unmeasured: Reconcilers = (client, clock) => [podAutoscaler(client, clock)];

async function aPod(world: World, name: string): Promise<void> {
  const resources = { requests: { cpu: '1' } };
  const metadata = { name, namespace: 'here', labels: { app: 'web' } };
  await world.user.create(core('pods'), { metadata, spec: { containers: [{ name: 'c', image: 'i', resources }] } });
  const time = new Date(world.clock.now() - 3_600_000).toISOString().replace(/\.\d+/, '');
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: time }];
  await world.user.patch(
    refOf(core('pods'), 'here', name),
    { status: { phase: 'Running', startTime: time, conditions } },
    'status',
  );
}

const theScaler = (kind: string, apiVersion: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name: 'web', namespace: 'here' },
  spec: {
    scaleTargetRef: { apiVersion, kind, name: 'web' },
    minReplicas: 1,
    maxReplicas: 10,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }],
    ...spec,
  },
});

async function prepare(world: World, spec: JsonObject = {}): Promise<void> {
  await aNamespace(world);
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await world.user.create(DEPLOYMENTS, {
    metadata: { name: 'web', namespace: 'here' },
    spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template },
  });
  for (const name of ['a', 'b']) await aPod(world, name);
  await world.user.create(AUTOSCALERS, theScaler('Deployment', 'apps/v1', spec));
}

const replicas = async (world: World): Promise<unknown> =>
  objectAt((await world.user.get(refOf(DEPLOYMENTS, 'here', 'web'))) ?? {}, 'spec')?.['replicas'];
const statusOf = async (world: World): Promise<JsonObject> =>
  objectAt((await world.user.get(SCALER)) ?? {}, 'status') ?? {};
const conditions = async (world: World): Promise<string[]> =>
  arrayAt(await statusOf(world), 'conditions')
    .filter(isObject)
    .map((one) => `${one['type']} ${one['status']} ${one['reason']}`);
const told = async (world: World): Promise<string[]> =>
  (await world.user.list(core('events'))).map((one) => `${one['reason']}: ${one['message']}`);

describe('an autoscaler with metrics of pods', () => {
  test('grows to the required number of pods, no matter when the controller is killed', async () => {
    const check = async (world: World): Promise<void> => {
      expect(await replicas(world)).toBe(3);
      expect(await statusOf(world)).toMatchObject({
        currentReplicas: 3,
        desiredReplicas: 3,
        currentMetrics: [{ resource: { name: 'cpu', current: { averageUtilization: 60, averageValue: '600m' } } }],
      });
      expect(world.faults).toEqual([]);
    };
    // Two pods at 60 percent with a target of 50 percent become three. The third one starts immediately.
    const make: Reconcilers = (client, clock, world) => withCpu(60 * 10)(client, clock, world);
    const spec = { behavior: { scaleUp: { tolerance: '150m' } } };
    expect(await surviveEveryCrash({ make, prepare: (world) => prepare(world, spec), check })).toBeGreaterThan(4);
  });

  test('shrinks after a while', async () => {
    const world = new World();
    await prepare(world);
    await world.run(withCpu(100));
    expect(await replicas(world)).toBe(2);
    expect(await conditions(world)).toContain('AbleToScale True ScaleDownStabilized');
    const spec = { behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } };
    await world.user.patch(SCALER, { spec });
    await world.run(withCpu(100));
    expect(await replicas(world)).toBe(1);
    expect(await told(world)).toEqual(['SuccessfulRescale: New size: 1; reason: All metrics below target']);
    await expectSettled(world, withCpu(100));
  });
});

test('reports only once that no metrics are available', async () => {
  const world = new World();
  await prepare(world);
  await world.run(unmeasured);
  const why =
    'failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: ' +
    'the server could not find the requested resource (get pods.metrics.k8s.io)';
  expect(await told(world)).toEqual(
    expect.arrayContaining([
      `FailedGetResourceMetric: ${why}`,
      `FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${why}`,
    ]),
  );
  expect(await conditions(world)).toEqual([
    'AbleToScale True SucceededGetScale',
    'ScalingActive False FailedGetResourceMetric',
  ]);
  await expectSettled(world, unmeasured);
});

test('corrects replicas outside the bounds without reading metrics', async () => {
  const world = new World();
  await prepare(world, { minReplicas: 4 });
  await world.run(unmeasured);
  expect(await replicas(world)).toBe(4);
  await world.user.patch(SCALER, { spec: { minReplicas: 1, maxReplicas: 3 } });
  await world.run(unmeasured);
  expect(await replicas(world)).toBe(3);
});

test('scales custom resources with a scale subresource, and reports others', async () => {
  const world = new World();
  await world.user.create(NAMESPACES, { metadata: { name: 'here' } });
  const widgets = definition('widgets', 'Widget');
  const [version = {}] = arrayAt(objectAt(widgets, 'spec'), 'versions').filter(isObject);
  const scale = {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.selector',
  };
  version['subresources'] = { status: {}, scale };
  await world.user.create(AUTOSCALERS, theScaler('Widget', 'example.com/v1'));
  await world.run(unmeasured);
  expect(await conditions(world)).toEqual(['AbleToScale False FailedGetScale']);
  await world.user.create(DEFINITIONS, widgets);
  const { apiextensionsController } = await import('#lib/controllers/apiextensions/reconcile.ts');
  await world.run((client, clock) => [apiextensionsController(client, clock)]);
  await world.user.create(WIDGETS, {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'web', namespace: 'here' },
    spec: { replicas: 20 },
  });
  await world.run(unmeasured);
  const widget = await world.user.get(refOf(WIDGETS, 'here', 'web'));
  expect(objectAt(widget ?? {}, 'spec')).toEqual({ replicas: 10 });
});
