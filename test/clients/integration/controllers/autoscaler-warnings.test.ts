import { beforeEach, expect, test } from 'vitest';
import { EVENTS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import { podAutoscaler } from '#lib/controllers/pod-autoscaler/reconcile.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { core } from '#test/support/controllers/refs.ts';
import { refusing } from '#test/support/controllers/refusing.ts';
import { World } from '#test/support/controllers/world.ts';

const AUTOSCALERS = { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' };
const CONTROLLERS = core('replicationcontrollers');

let world: World;
beforeEach(async () => {
  world = new World();
  await aNamespace(world);
});

async function aScaler(name: string, minReplicas = 1, more: JsonObject = {}): Promise<void> {
  const scaleTargetRef = { apiVersion: 'v1', kind: 'ReplicationController', name };
  const metadata = { name, namespace: 'here' };
  await world.user.create(AUTOSCALERS, { metadata, spec: { scaleTargetRef, minReplicas, maxReplicas: 9, ...more } });
}

async function aTarget(name: string): Promise<void> {
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 2, selector: { app: 'web' }, template };
  await world.user.create(CONTROLLERS, { metadata: { name, namespace: 'here' }, spec });
}

async function warnings(): Promise<unknown[]> {
  const events = await clientset(world.user).list(EVENTS, { namespace: 'here', fieldSelector: 'type=Warning' });
  return events.map(({ reason, message }) => `${reason} ${message}`);
}

/** A client that returns a scale without a selector for the target. */
function selectorless(client: Client): Client {
  return {
    ...client,
    get: client.get.bind(client),
    list: client.list.bind(client),
    update: client.update.bind(client),
    create: client.create.bind(client),
    async document(path, accept) {
      if (!path.endsWith('/scale')) return client.document(path, accept);
      return { spec: { replicas: 2 }, status: { replicas: 2 } };
    },
  };
}

test('warns of a target without a selector', async () => {
  await aTarget('web');
  await aScaler('web');
  await podAutoscaler(selectorless(world.newClient('hpa')), world.clock).reconcile('here/web');
  expect(await warnings()).toEqual(['SelectorRequired selector is required']);
});

test('warns of pods that two autoscalers select', async () => {
  for (const name of ['one', 'two']) {
    await aTarget(name);
    await aScaler(name);
  }
  const metadata = { name: 'a', namespace: 'here', labels: { app: 'web' } };
  await world.user.create(core('pods'), { metadata, spec: { containers: [{ name: 'c', image: 'i' }] } });
  const autoscaler = podAutoscaler(world.newClient('hpa'), world.clock);
  for (const name of ['one', 'two']) await autoscaler.reconcile(`here/${name}`);
  const wanted = 'AmbiguousSelector pods by selector app=web are controlled by multiple HPAs: [{one here} {two here}]';
  expect(await warnings()).toContain(wanted);
});

test('warns of a size that the server rejects', async () => {
  await aTarget('web');
  await aScaler('web', 3);
  const client = refusing(world, 'update', 'replicationcontrollers');
  await podAutoscaler(client, world.clock).reconcile('here/web');
  expect(await warnings()).toEqual([
    expect.stringMatching(/^FailedRescale New size: 3; reason: .*; error: .*forbidden/),
  ]);
});

test('warns of a status that the server rejects', async () => {
  await aTarget('web');
  await aScaler('web', 3);
  const client = refusing(world, 'update', 'horizontalpodautoscalers');
  await expect(podAutoscaler(client, world.clock).reconcile('here/web')).rejects.toThrow('forbidden');
  expect(await warnings()).toContainEqual(expect.stringMatching(/^FailedUpdateStatus .*forbidden/));
});

const metric = { name: 'requests' };
const value = { type: 'Value', value: '1' };
const describedObject = { apiVersion: 'v1', kind: 'Service', name: 'web' };

test.each<[string, JsonObject, RegExp]>([
  [
    'FailedGetPodsMetric',
    { type: 'Pods', pods: { metric, target: { type: 'AverageValue', averageValue: '1' } } },
    /^FailedGetPodsMetric .*unable to get metric requests/,
  ],
  [
    'FailedGetObjectMetric',
    { type: 'Object', object: { describedObject, metric, target: value } },
    /^FailedGetObjectMetric unable to get metric requests: Service on here web\/.+/,
  ],
  [
    'FailedGetExternalMetric',
    { type: 'External', external: { metric, target: value } },
    /^FailedGetExternalMetric unable to get external metric here\/requests\/nil: .+/,
  ],
  [
    'FailedGetContainerResourceMetric',
    {
      type: 'ContainerResource',
      containerResource: { name: 'cpu', container: 'c', target: { type: 'Utilization', averageUtilization: 50 } },
    },
    /^FailedGetContainerResourceMetric .*unable to get metrics for resource cpu/,
  ],
])('warns with %s of a metric that no server has', async (_, one, warning) => {
  await aTarget('web');
  const metadata = { name: 'a', namespace: 'here', labels: { app: 'web' } };
  await world.user.create(core('pods'), { metadata, spec: { containers: [{ name: 'c', image: 'i' }] } });
  await aScaler('web', 1, { metrics: [one] });
  await podAutoscaler(world.newClient('hpa'), world.clock).reconcile('here/web');
  expect(await warnings()).toContainEqual(expect.stringMatching(warning));
});
