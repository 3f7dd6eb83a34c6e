import { expect, test } from 'vitest';
import { disruptionController } from '#lib/controllers/disruption/reconcile.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { endPod, runPod } from '#test/support/controllers/pods.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [disruptionController(client, clock)];
const BUDGETS = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' };
const SETS = { group: 'apps', version: 'v1', resource: 'statefulsets' };
const BUDGET = refOf(BUDGETS, 'default', 'db');

async function prepare(world: World, spec: JsonObject): Promise<void> {
  await aNamespace(world, 'default');
  await world.user.create(BUDGETS, {
    metadata: { name: 'db', namespace: 'default' },
    spec: { selector: { matchLabels: { app: 'db' } }, ...spec },
  });
}

async function statusOf(world: World): Promise<JsonObject> {
  return objectAt(await world.user.get(BUDGET), 'status') ?? {};
}

async function events(world: World): Promise<string[]> {
  return (await world.user.list(core('events'))).map((event) => text(event, 'reason')).sort();
}

test('counts allowed disruptions, no matter when the controller is killed', async () => {
  const three = async (world: World): Promise<void> => {
    await prepare(world, { minAvailable: 1 });
    await world.run(make);
    for (const name of ['a', 'b', 'c', 'd']) await runPod(world, name, '10.1.0.1', 8080);
    await world.run(make);
    await endPod(world, 'd');
  };
  const check = async (world: World): Promise<void> => {
    expect(await statusOf(world)).toMatchObject({
      expectedPods: 3,
      currentHealthy: 3,
      desiredHealthy: 1,
      disruptionsAllowed: 2,
      observedGeneration: 1,
    });
    expect(await events(world)).toEqual(['NoPods']);
  };
  expect(await surviveEveryCrash({ make, prepare: three, check })).toBeGreaterThan(1);
});

test("a percentage counts the controller's replicas; reports pods without a controller", async () => {
  const world = new World();
  await prepare(world, { minAvailable: '50%' });
  const labels = { app: 'db' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const set = await world.user.create(SETS, {
    metadata: { name: 'db', namespace: 'default' },
    spec: { replicas: 6, serviceName: 'db', selector: { matchLabels: labels }, template },
  });
  for (const name of ['a', 'b', 'c', 'd', 'loose']) await runPod(world, name, '10.1.0.1', 8080);
  const uid = objectAt(set, 'metadata')?.['uid'] ?? '';
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid, controller: true }];
  for (const name of ['a', 'b', 'c', 'd'])
    await world.user.patch(refOf(core('pods'), 'default', name), { metadata: { ownerReferences } });
  await world.run(make);
  expect(await statusOf(world)).toMatchObject({
    expectedPods: 6,
    desiredHealthy: 3,
    currentHealthy: 5,
    disruptionsAllowed: 2,
  });
  expect(await events(world)).toEqual(['UnmanagedPods']);
});

test('allows no disruption if it cannot count, and reports the reason', async () => {
  const world = new World();
  await prepare(world, { maxUnavailable: 1 });
  await runPod(world, 'a', '10.1.0.1', 8080);
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x', controller: true }];
  await world.user.patch(refOf(core('pods'), 'default', 'a'), { metadata: { ownerReferences } });
  await world.run(make);
  expect(await statusOf(world)).toMatchObject({
    disruptionsAllowed: 0,
    conditions: [{ reason: 'SyncFailed', message: 'configmaps does not implement the scale subresource' }],
  });
  expect(await events(world)).toEqual(['CalculateExpectedPodCountFailed']);
});

test('counts a pod again if it was not deleted after its eviction was allowed', async () => {
  const world = new World();
  await prepare(world, { minAvailable: 1 });
  for (const name of ['a', 'b']) await runPod(world, name, '10.1.0.1', 8080);
  await world.user.patch(refOf(core('pods'), 'default', 'a'), { metadata: { finalizers: ['example.com/stay'] } });
  await world.run(make);
  const time = new Date(world.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  await world.user.patch(BUDGET, { status: { disruptionsAllowed: 0, disruptedPods: { a: time } } }, 'status');
  await world.run(make);
  expect(await statusOf(world)).toMatchObject({ currentHealthy: 1, disruptionsAllowed: 0, disruptedPods: { a: time } });
  world.clock.advance(130_000);
  await world.run(make);
  expect(await events(world)).toEqual(['NotDeleted']);
  expect(await statusOf(world)).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 1 });
});

test('removes a disruption mark without a following eviction', async () => {
  const world = new World();
  await prepare(world, { minAvailable: 1 });
  await runPod(world, 'a', '10.1.0.1', 8080);
  const lastTransitionTime = new Date(world.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  const conditions = [{ type: 'DisruptionTarget', status: 'True', reason: 'X', lastTransitionTime }];
  await world.user.patch(refOf(core('pods'), 'default', 'a'), { status: { conditions } }, 'status');
  for (let round = 0; round < 3; round++) await world.run(make);
  const pod = await world.user.get(refOf(core('pods'), 'default', 'a'));
  expect(objectAt(pod, 'status')?.['conditions']).toMatchObject([{ type: 'DisruptionTarget', status: 'False' }]);
});
