import { describe, expect, test } from 'vitest';
import { REPLICA_SET, REPLICATION_CONTROLLER } from '#lib/controllers/replicaset/kinds.ts';
import { replicaSetController } from '#lib/controllers/replicaset/reconcile.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { controllerOf, labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { aNamespace, podsHere } from '#test/support/controllers/here.ts';
import { allReady, podSimulator, type Rule } from '#test/support/controllers/pod-simulator.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const [PODS, EVENTS] = [core('pods'), core('events')];
const SETS = REPLICA_SET.resource;
const SET = refOf(SETS, 'here', 'web');

const withPods =
  (rule: Rule = allReady): Reconcilers =>
  (client, clock, world) => [
    replicaSetController(client, clock, REPLICA_SET),
    replicaSetController(client, clock, REPLICATION_CONTROLLER),
    podSimulator(world.newClient('kubelet'), clock, rule),
  ];

const aTemplate = (labels: JsonObject): JsonObject => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: 'i' }] },
});

async function aSet(world: World, replicas: number, more: JsonObject = {}): Promise<void> {
  await aNamespace(world);
  await world.user.create(SETS, {
    metadata: { name: 'web', namespace: 'here' },
    spec: { replicas, selector: { matchLabels: { app: 'web' } }, template: aTemplate({ app: 'web' }), ...more },
  });
}

const aPod = (world: World, name: string, labels: JsonObject): Promise<JsonObject> =>
  world.user.create(PODS, {
    ...aTemplate(labels),
    metadata: { name, namespace: 'here', labels },
  });

const scale = (world: World, replicas: number) => world.user.patch(SET, { spec: { replicas } });
const statusOf = async (world: World, ref = SET) => objectAt((await world.user.get(ref)) ?? {}, 'status');
const owned = async (world: World): Promise<number> =>
  (await podsHere(world)).filter((pod) => controllerOf(pod)).length;

const told = async (world: World): Promise<string[]> =>
  (await world.user.list(EVENTS, { namespace: 'here' })).map((one) =>
    [one['type'], one['reason'], stringAt(one, 'message')?.replace(/web-[a-z0-9]{5}$/, 'POD')].join(' '),
  );

describe('no matter when the controller is killed', () => {
  test('creates the missing pods', async () => {
    const check = async (world: World): Promise<void> => {
      expect(await owned(world)).toBe(2);
      expect(await statusOf(world)).toMatchObject({ replicas: 2, readyReplicas: 2, availableReplicas: 2 });
    };
    const crashes = await surviveEveryCrash({ make: withPods(), prepare: (world) => aSet(world, 2), check });
    expect(crashes).toBeGreaterThan(5);
  });

  test('deletes the surplus pods', async () => {
    const prepare = async (world: World): Promise<void> => {
      await aSet(world, 3);
      await world.run(withPods());
      await scale(world, 1);
    };
    const check = async (world: World): Promise<void> => {
      expect(await owned(world)).toBe(1);
      expect(await statusOf(world)).toMatchObject({ replicas: 1, observedGeneration: 2 });
    };
    expect(await surviveEveryCrash({ make: withPods(), prepare, check })).toBeGreaterThan(3);
  });

  test('adopts selected orphans, and releases pods that are no longer selected', async () => {
    const prepare = async (world: World): Promise<void> => {
      await aSet(world, 1);
      await world.run(withPods());
      const [released] = await podsHere(world);
      await world.user.patch(refOf(PODS, 'here', nameOf(released ?? {})), { metadata: { labels: { app: 'other' } } });
      await aPod(world, 'orphan', { app: 'web' });
    };
    const check = async (world: World): Promise<void> => {
      const all = (await podsHere(world)).map((pod) => [labelsOf(pod)['app'], controllerOf(pod)?.name]).sort();
      expect(all).toEqual([
        ['other', undefined],
        ['web', 'web'],
      ]);
    };
    expect(await surviveEveryCrash({ make: withPods(), prepare, check })).toBeGreaterThan(3);
  });
});

test('records events of creation', async () => {
  const world = new World();
  await aSet(world, 1);
  await world.run(withPods());
  await scale(world, 0);
  await world.run(withPods());
  expect(await told(world)).toEqual(
    expect.arrayContaining(['Normal SuccessfulCreate Created pod: POD', 'Normal SuccessfulDelete Deleted pod: POD']),
  );
});

test.each([
  ['a pod that failed is replaced', 'failed', 2],
  ['a pod that ended is replaced', 'succeeded', 2],
] as const)('handles the case that %s', async (_, fate, number) => {
  const world = new World();
  await aSet(world, 1);
  let left = 1;
  const ended = new Set<string>();
  const rule: Rule = (pod) => {
    if (left > 0 && left-- > 0) ended.add(nameOf(pod));
    return ended.has(nameOf(pod)) ? fate : 'ready';
  };
  await world.run(withPods(rule));
  expect(await podsHere(world)).toHaveLength(number);
  expect(await statusOf(world)).toMatchObject({ replicas: 1, readyReplicas: 1 });
});

test('a pod counts as available when it has been ready for long enough', async () => {
  const world = new World();
  await aSet(world, 1, { minReadySeconds: 30 });
  await world.run(withPods());
  expect(await statusOf(world)).toMatchObject({ readyReplicas: 1, availableReplicas: 1 });
  await expectSettled(world, withPods());
});

test('counts terminating pods separately', async () => {
  const world = new World();
  const template = aTemplate({ app: 'web' });
  await aSet(world, 2, { template: { ...template, spec: { ...objectAt(template, 'spec'), nodeName: 'node' } } });
  const withoutNodes: Reconcilers = (client, clock) => [replicaSetController(client, clock, REPLICA_SET)];
  await world.run(withoutNodes);
  await scale(world, 1);
  await world.run(withoutNodes);
  expect(await statusOf(world)).toMatchObject({ replicas: 1, terminatingReplicas: 1 });
});

test('reports a rejected pod by a condition and an event until the reason is gone', async () => {
  const world = new World();
  await aSet(world, 1, {
    template: {
      ...aTemplate({ app: 'web' }),
      spec: { serviceAccountName: 'none', containers: [{ name: 'c', image: 'i' }] },
    },
  });
  await world.run(withPods());
  const message = expect.stringContaining('serviceaccount "none" not found');
  expect(await statusOf(world)).toMatchObject({
    replicas: 0,
    conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message }],
  });
  expect(await told(world)).toEqual([expect.stringContaining('Warning FailedCreate Error creating: pods "web-')]);
  await world.user.create(core('serviceaccounts'), { metadata: { name: 'none', namespace: 'here' } });
  await world.run(withPods());
  expect(await statusOf(world)).not.toHaveProperty('conditions');
});

test('a replication controller keeps its pods as a replica set does', async () => {
  const world = new World();
  await aNamespace(world);
  const ref = refOf(REPLICATION_CONTROLLER.resource, 'here', 'web');
  await world.user.create(ref.resource, {
    metadata: { name: 'web', namespace: 'here' },
    spec: { replicas: 2, selector: { app: 'web' }, template: aTemplate({ app: 'web' }) },
  });
  await world.run(withPods());
  expect(await statusOf(world, ref)).toEqual({
    replicas: 2,
    fullyLabeledReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
    observedGeneration: 1,
  });
  expect(world.faults).toEqual([]);
});
