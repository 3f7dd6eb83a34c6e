import { describe, expect, test } from 'vitest';
import { deviceTaintEviction } from '#lib/controllers/device-taint-eviction/reconcile.ts';
import { defined } from '#lib/machinery/defined.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { nameOf, uidOf } from '#lib/machinery/meta.ts';
import { items } from '#lib/machinery/unstructured.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [deviceTaintEviction(client, clock)];
const PODS = core('pods');
const resource = (name: string) => ({ group: 'resource.k8s.io', version: 'v1', resource: name });
const CLAIMS = resource('resourceclaims');
const taint = { key: 'broken', value: 'yes', effect: 'NoExecute' };
const tolerates = (tolerationSeconds?: number): JsonObject => ({
  key: 'broken',
  operator: 'Exists',
  effect: 'NoExecute',
  ...defined({ tolerationSeconds }),
});

/** A ResourceSlice with two devices: x with the taints, and y. */
const aSlice = (world: World, taints: JsonObject[], generation = 1) =>
  world.user.create(resource('resourceslices'), {
    metadata: { name: `slice-${generation}` },
    spec: {
      driver: 'd.example.com',
      pool: { name: 'p', generation, resourceSliceCount: 1 },
      nodeName: 'node',
      devices: [{ name: 'x', taints }, { name: 'y' }],
    },
  });

/** A pod on a node. Its claim has the pod's name and the device. */
async function aUser(world: World, name: string, device: string, tolerations: JsonObject[] = []): Promise<void> {
  await world.user.create(CLAIMS, {
    metadata: { name, namespace: 'default' },
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } },
  });
  const pod = await world.user.create(PODS, {
    metadata: { name, namespace: 'default' },
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      nodeName: 'node',
      resourceClaims: [{ name: 'r', resourceClaimName: name }],
    },
  });
  const result = { request: 'r', driver: 'd.example.com', pool: 'p', device };
  const allocation = { devices: { results: [{ ...result, ...(tolerations.length === 0 ? {} : { tolerations }) }] } };
  const reservedFor = [{ resource: 'pods', name, uid: uidOf(pod) }];
  await world.user.patch(refOf(CLAIMS, 'default', name), { status: { allocation, reservedFor } }, 'status');
}

async function aWorld(): Promise<World> {
  const world = new World();
  await prepare(world);
  return world;
}

async function prepare(world: World): Promise<void> {
  await aNamespace(world, 'default');
}

/** Names of pods that are not being deleted. */
const staying = async (world: World): Promise<string[]> =>
  (await world.user.list(PODS))
    .filter((pod) => objectAt(pod, 'metadata')?.['deletionTimestamp'] === undefined)
    .map(nameOf)
    .toSorted();

test('evicts pods from a tainted device, no matter when the controller is killed', async () => {
  await surviveEveryCrash({
    make,
    async prepare(world) {
      await prepare(world);
      await aUser(world, 'leaves', 'x');
      await aUser(world, 'stays', 'y');
      await aSlice(world, [taint]);
    },
    async check(world) {
      expect(await staying(world)).toEqual(['stays']);
      const pod = (await world.user.get(refOf(PODS, 'default', 'leaves'))) ?? {};
      expect(items(objectAt(pod, 'status'), 'conditions')).toMatchObject([
        { type: 'DisruptionTarget', status: 'True', reason: 'DeletionByDeviceTaintManager' },
      ]);
    },
  });
});

describe('a pod stays', () => {
  test.each<[string, JsonObject[], JsonObject[], number]>([
    ['whose claim tolerates the taint for ever', [taint], [tolerates()], 1],
    ['whose device has a taint that keeps others away alone', [{ ...taint, effect: 'NoSchedule' }], [], 1],
    ['whose device was tainted in an older generation of the pool', [taint], [], 2],
  ])('on its node, %s', async (_name, taints, tolerations, generations) => {
    const world = await aWorld();
    await aUser(world, 'pod', 'x', tolerations);
    await aSlice(world, taints);
    if (generations === 2) await aSlice(world, [], 2);
    await world.run(make);
    expect(await staying(world)).toEqual(['pod']);
  });
});

test('evicts a pod when its claim no longer tolerates the taint', async () => {
  const world = await aWorld();
  await aUser(world, 'pod', 'x', [tolerates(3600)]);
  await aSlice(world, [taint]);
  await world.run(make);
  expect(await staying(world)).toEqual(['pod']);
  world.clock.advance(3_600_000);
  await world.run(make);
  expect(await staying(world)).toEqual([]);
});
