import { expect, test } from 'vitest';
import { typedObject } from '#lib/api/typed.ts';
import { PODS as TYPED_PODS } from '#lib/api/types/resources.ts';
import { arrayAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import { CycleState } from '#lib/scheduler/framework/cycle-state.ts';
import { dynamicResourcesArgs } from '#lib/scheduler/framework/plugins/dynamicresources/args.ts';
import { dynamicResources } from '#lib/scheduler/framework/plugins/dynamicresources/dynamic-resources.ts';
import { podInfoOf } from '#lib/scheduler/framework/pod-info-of.ts';
import { aHandle, aNodeInfo } from '#lib/scheduler/testing/wrappers.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { World } from '#test/support/controllers/world.ts';

const DRIVER = 'dra.example.com';
const GPU = 'example.com/gpu';
const PODS = core('pods');
const resource = (name: string) => ({ group: 'resource.k8s.io', version: 'v1', resource: name });
const [CLAIMS, SLICES, CLASSES] = [resource('resourceclaims'), resource('resourceslices'), resource('deviceclasses')];

async function prepare(world: World, devices: JsonObject[]): Promise<void> {
  await aNamespace(world);
  await world.user.create(core('nodes'), { metadata: { name: 'n' } });
  const selectors = [{ cel: { expression: `device.driver == "${DRIVER}"` } }];
  await world.user.create(CLASSES, { metadata: { name: 'gpus' }, spec: { selectors, extendedResourceName: GPU } });
  const pool = { name: 'n', generation: 1, resourceSliceCount: 1 };
  await world.user.create(SLICES, { metadata: { name: 's' }, spec: { driver: DRIVER, nodeName: 'n', pool, devices } });
}

const aClaim = (world: World, name: string, exactly: JsonObject = {}): Promise<JsonObject> =>
  world.user.create(CLAIMS, {
    metadata: { name, namespace: 'here' },
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpus', ...exactly } }] } },
  });

const aPod = (world: World, name: string, claims: string[], container: JsonObject = {}): Promise<JsonObject> =>
  world.user.create(PODS, {
    metadata: { name, namespace: 'here' },
    spec: {
      containers: [{ name: 'c', image: 'i', ...container }],
      ...(claims.length === 0
        ? {}
        : { resourceClaims: claims.map((claim) => ({ name: claim, resourceClaimName: claim })) }),
    },
  });

/** Places the pod on the node. Returns the error, or undefined if everything is written. */
async function place(world: World, pod: JsonObject): Promise<unknown> {
  const objects = {
    resourceclaims: await world.user.list(CLAIMS),
    resourceslices: await world.user.list(SLICES),
    deviceclasses: await world.user.list(CLASSES),
  };
  const handle = aHandle({ objects, client: world.newClient('scheduler'), clock: world.clock });
  const plugin = dynamicResources(dynamicResourcesArgs.parse({}), handle);
  const node = aNodeInfo({ name: 'n' });
  const [state, info] = [new CycleState(), podInfoOf(typedObject(TYPED_PODS, pod))];
  const refused = plugin.preFilter?.(state, info, [node]).status ?? plugin.filter?.(state, info, node);
  return refused ?? plugin.reserve?.(state, info, 'n') ?? plugin.preBind?.(state, info, 'n');
}

const devicesOf = (claim: JsonObject | undefined): JsonObject[] =>
  items(at(claim, 'status', 'allocation', 'devices'), 'results');

test('claims get free devices, and the server accepts the allocation', async () => {
  const world = new World();
  await prepare(world, [{ name: 'a' }, { name: 'b' }]);
  await aClaim(world, 'one');
  await aClaim(world, 'two', { allocationMode: 'ExactCount', count: 1 });
  expect(await place(world, await aPod(world, 'p', ['one']))).toBeUndefined();
  expect(await place(world, await aPod(world, 'q', ['two', 'one']))).toBeUndefined();
  const [one, two] = await Promise.all(['one', 'two'].map((name) => world.user.get(refOf(CLAIMS, 'here', name))));
  expect([one, two].map((claim) => devicesOf(claim).map((result) => text(result, 'device')))).toEqual([['a'], ['b']]);
  expect(arrayAt(at(one, 'status'), 'reservedFor')).toMatchObject([{ name: 'p' }, { name: 'q' }]);
  expect(at(one, 'status', 'allocation', 'nodeSelector')).toMatchObject({
    nodeSelectorTerms: [{ matchFields: [{ values: ['n'] }] }],
  });
  await aClaim(world, 'three');
  expect(await place(world, await aPod(world, 'r', ['three']))).toMatchObject({
    reasons: ['cannot allocate all claims'],
  });
  await world.close();
});

test('allocates parts of a device until none are left', async () => {
  const world = new World();
  await prepare(world, [{ name: 'a', allowMultipleAllocations: true, capacity: { memory: { value: '8Gi' } } }]);
  const asking = { capacity: { requests: { memory: '3Gi' } } };
  for (const name of ['one', 'two', 'three']) await aClaim(world, name, asking);
  expect(await place(world, await aPod(world, 'p', ['one']))).toBeUndefined();
  expect(await place(world, await aPod(world, 'q', ['two']))).toBeUndefined();
  expect(await place(world, await aPod(world, 'r', ['three']))).toMatchObject({
    reasons: ['cannot allocate all claims'],
  });
  const claim = await world.user.get(refOf(CLAIMS, 'here', 'two'));
  expect(devicesOf(claim)).toMatchObject([{ device: 'a', consumedCapacity: { memory: '3Gi' } }]);
  await world.close();
});

test("allocates devices for an extended resource, and names the claim in the pod's status", async () => {
  const world = new World();
  await prepare(world, [{ name: 'a' }, { name: 'b' }]);
  const pod = await aPod(world, 'p', [], { resources: { requests: { [GPU]: '2' }, limits: { [GPU]: '2' } } });
  expect(await place(world, pod)).toBeUndefined();
  const told = at(await world.user.get(refOf(PODS, 'here', 'p')), 'status', 'extendedResourceClaimStatus');
  const claim = await world.user.get(refOf(CLAIMS, 'here', text(told, 'resourceClaimName')));
  expect(devicesOf(claim).map((result) => text(result, 'device'))).toEqual(['a', 'b']);
  expect(items(told, 'requestMappings')).toEqual([
    { containerName: 'c', resourceName: GPU, requestName: 'container-0-request-0' },
  ]);
  await world.close();
});
