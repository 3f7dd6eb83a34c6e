import { expect, test } from 'vitest';
import { podGarbageCollector } from '#lib/controllers/pod-garbage-collector/reconcile.ts';
import { defined } from '#lib/machinery/defined.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [podGarbageCollector(client, clock, 2)];
const PODS = core('pods');
const TAINT = { key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' };

interface Given {
  readonly node?: string;
  readonly phase?: string;
  readonly finalizers?: string[];
}

async function aPod(world: World, name: string, { node, phase = 'Running', finalizers = [] }: Given): Promise<void> {
  await world.user.create(PODS, {
    metadata: { name, namespace: 'default', finalizers },
    spec: { containers: [{ name: 'c', image: 'i' }], ...defined({ nodeName: node }) },
  });
  await world.user.patch(refOf(PODS, 'default', name), { status: { phase } }, 'status');
}

async function prepare(world: World): Promise<void> {
  await aNamespace(world, 'default');
  await world.user.create(core('nodes'), { metadata: { name: 'node' } });
  await world.user.create(core('nodes'), { metadata: { name: 'broken' }, spec: { taints: [TAINT] } });
}

const left = async (world: World): Promise<string[]> => (await world.user.list(PODS)).map(nameOf).sort();

test('deletes pods that no node will stop, no matter when the controller is killed', async () => {
  const lost = async (world: World): Promise<void> => {
    await prepare(world);
    for (const name of ['stays', 'going']) await aPod(world, name, { node: 'broken' });
    await world.user.delete(refOf(PODS, 'default', 'going'));
    await aPod(world, 'fine', { node: 'node' });
    await aPod(world, 'orphan', { node: 'gone' });
    await aPod(world, 'stranded', { phase: 'Pending', finalizers: ['example.com/wait'] });
    await world.user.delete(refOf(PODS, 'default', 'stranded'));
  };
  const check = async (world: World): Promise<void> => {
    expect(await left(world)).toEqual(['fine', 'stays', 'stranded']);
    const stranded = await world.user.get(refOf(PODS, 'default', 'stranded'));
    expect(objectAt(stranded, 'status')).toMatchObject({ phase: 'Failed' });
    expect(world.faults).toEqual([]);
  };
  expect(await surviveEveryCrash({ make, prepare: lost, check })).toBeGreaterThan(4);
});

test('reports the reason for the failure of an orphan', async () => {
  const world = new World();
  await prepare(world);
  await aPod(world, 'orphan', { node: 'gone', finalizers: ['example.com/wait'] });
  await world.run(make);
  const pod = await world.user.get(refOf(PODS, 'default', 'orphan'));
  expect(objectAt(pod, 'status')).toMatchObject({
    phase: 'Failed',
    conditions: [
      { type: 'DisruptionTarget', status: 'True', reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists' },
    ],
  });
});

test('keeps the pods of a node that registers late', async () => {
  const world = new World();
  await prepare(world);
  await aPod(world, 'early', { node: 'late' });
  const collector = podGarbageCollector(world.newClient('controllers'), world.clock);
  expect(await collector.reconcile('node/late')).toEqual({ requeueAfter: 40_000 });
  await world.user.create(core('nodes'), { metadata: { name: 'late' } });
  world.clock.advance(50_000);
  expect(await collector.reconcile('node/late')).toBeUndefined();
  expect(await left(world)).toEqual(['early']);
});

test('deletes the oldest terminated pods above the threshold, evicted ones first', async () => {
  const world = new World();
  await prepare(world);
  for (const name of ['a', 'b', 'c', 'd']) {
    await aPod(world, name, { node: 'node', phase: 'Failed' });
    world.clock.advance(2000);
  }
  const evicted: JsonObject = { status: { phase: 'Failed', reason: 'Evicted' } };
  await world.user.patch(refOf(PODS, 'default', 'd'), evicted, 'status');
  await world.run(make);
  expect(await left(world)).toEqual(['b', 'c']);
});
