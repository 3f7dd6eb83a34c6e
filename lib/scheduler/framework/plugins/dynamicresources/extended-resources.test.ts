import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { RESOURCE_CLAIMS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import {
  aDevice,
  aDeviceClass,
  aRequest,
  aResourceClaim,
  aSlice,
} from '#lib/helpers/dynamic-resource-allocation/testing.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import { filterOn } from '../../../testing/extension-points.ts';
import { aHandle, aNodeInfo, aPod, aPodInfo, type PodOf } from '../../../testing/wrappers.ts';
import { CycleState } from '../../cycle-state.ts';
import { SKIP } from '../../status.ts';
import { dynamicResourcesArgs } from './args.ts';
import { dynamicResources } from './dynamic-resources.ts';

const GPU = 'example.com/gpu';
const MADE = 'pod-extended-resources-x';
const asking = (count: number, more: PodOf = {}): PodOf => ({ requests: { [GPU]: `${count}` }, ...more });

/** A scheduler and its writes. The resource maps to the device class of devices a and b. */
function aWorld(claims: readonly JsonObject[] = []) {
  const server = new Map(claims.map((one) => [nameOf(one), one]));
  const patches: JsonObject[] = [];
  const background: Promise<void>[] = [];
  const put = (name: string, object: JsonObject): JsonObject => {
    const stored = decodedAs(RESOURCE_CLAIMS, object);
    server.set(name, stored);
    return stored;
  };
  const client: Client = {
    ...aHandle().client,
    get: async ({ name }) => server.get(name),
    create: async (_, object) =>
      put(MADE, { ...object, metadata: { ...at(object, 'metadata'), name: MADE, uid: 'made', resourceVersion: '1' } }),
    update: async ({ name }, object) =>
      put(name, { ...object, metadata: { ...at(object, 'metadata'), resourceVersion: '2' } }),
    patch: async (_, patch) => (patches.push(patch), patch),
    delete: async ({ name }) => void server.delete(name),
  };
  const objects = {
    resourceclaims: claims,
    resourceslices: [aSlice('s', [aDevice('a'), aDevice('b')])],
    deviceclasses: [aDeviceClass('class', { extendedResourceName: GPU })],
  };
  const handle = { ...aHandle({ client, objects }), inBackground: (work: Promise<void>) => void background.push(work) };
  const plugin = dynamicResources(dynamicResourcesArgs.parse({}), handle);
  return { plugin, server, patches, settled: () => Promise.all(background) };
}

const n = aNodeInfo({ name: 'n', capacity: { pods: '9' } });
const refusal = (reason: string) => ({ code: 'UnschedulableAndUnresolvable', reasons: [reason] });

test.each<[string, PodOf, JsonObject, unknown]>([
  ['no extended resource', { requests: { cpu: '1' } }, {}, SKIP],
  ['a resource without a device class', { requests: { 'example.com/other': '1' } }, {}, SKIP],
  ['as many devices as exist', asking(2), {}, undefined],
  ['more devices than exist', asking(3), {}, refusal('cannot allocate all claims')],
  ['a resource that the node offers itself', asking(9), { [GPU]: '9' }, undefined],
  [
    'devices and an unavailable resource',
    { requests: { [GPU]: '1', 'example.com/other': '1' } },
    {},
    refusal('cannot fit resource'),
  ],
])('filters a pod that requests %s', (_, pod, offered, expected) => {
  const node = aNodeInfo({ name: 'n', capacity: { pods: '9', ...offered } });
  expect(filterOn(aWorld().plugin, aPod(pod), node)).toEqual(expected);
});

function reserved({ plugin }: ReturnType<typeof aWorld>, of: PodOf) {
  const [state, pod] = [new CycleState(), aPodInfo(of)];
  const refused =
    plugin.preFilter?.(state, pod, [n]).status ?? plugin.filter?.(state, pod, n) ?? plugin.reserve?.(state, pod, 'n');
  return { state, pod, refused };
}

test("allocates the devices through a special claim and names it in the pod's status", async () => {
  const world = aWorld();
  const { state, pod } = reserved(world, asking(1));
  expect(await world.plugin.preBind?.(state, pod, 'n')).toBeUndefined();
  const claim = world.server.get(MADE);
  expect(claim).toMatchObject({
    metadata: {
      annotations: { 'resource.kubernetes.io/extended-resource-claim': 'true' },
      ownerReferences: [{ kind: 'Pod', name: 'pod', uid: 'pod', controller: true }],
    },
    spec: {
      devices: { requests: [{ name: 'container-0-request-0', exactly: { deviceClassName: 'class', count: 1 } }] },
    },
    status: { reservedFor: [{ name: 'pod' }] },
  });
  expect(items(at(claim, 'status', 'allocation', 'devices'), 'results').map((one) => text(one, 'device'))).toEqual([
    'a',
  ]);
  expect(world.patches).toEqual([
    {
      status: {
        extendedResourceClaimStatus: {
          resourceClaimName: MADE,
          requestMappings: [{ containerName: 'c', resourceName: GPU, requestName: 'container-0-request-0' }],
        },
      },
    },
  ]);
  expect(reserved(world, asking(2, { name: 'other' })).refused).toEqual(refusal('cannot allocate all claims'));
  expect(reserved(world, asking(1, { name: 'other' })).refused).toBeUndefined();
});

test('frees the devices if the pod cannot be bound', async () => {
  const world = aWorld();
  const first = reserved(world, asking(2));
  expect(reserved(world, asking(1, { name: 'other' })).refused).toEqual(refusal('cannot allocate all claims'));
  await world.plugin.preBind?.(first.state, first.pod, 'n');
  world.plugin.unreserve?.(first.state, first.pod, 'n');
  await world.settled();
  expect(world.server.has(MADE)).toBe(false);
  expect(reserved(world, asking(2, { name: 'other' })).refused).toBeUndefined();
});

test('creates no claim if the node offers the resource itself', async () => {
  const world = aWorld();
  const [state, pod] = [new CycleState(), aPodInfo(asking(1))];
  const node = aNodeInfo({ name: 'n', capacity: { pods: '9', [GPU]: '1' } });
  world.plugin.preFilter?.(state, pod, [node]);
  expect(world.plugin.filter?.(state, pod, node)).toBeUndefined();
  expect(world.plugin.reserve?.(state, pod, 'n')).toBeUndefined();
  expect(await world.plugin.preBind?.(state, pod, 'n')).toBeUndefined();
  expect([world.server.size, world.patches]).toEqual([0, []]);
});

test('deletes the claim of an earlier attempt and retries the pod', async () => {
  const left = aResourceClaim('left', [aRequest()]);
  const metadata: JsonObject = {
    ...left.metadata,
    annotations: { 'resource.kubernetes.io/extended-resource-claim': 'true' },
    ownerReferences: [{ kind: 'Pod', name: 'pod', uid: 'pod', controller: true }],
  };
  const world = aWorld([{ ...left, metadata }]);
  const { state, pod, refused } = reserved(world, asking(1));
  expect(refused).toEqual(refusal('cannot schedule extended resource claim'));
  const { status } = (await world.plugin.postFilter?.(state, pod, new Map())) ?? {};
  expect(status?.reasons).toEqual(['deletion of ResourceClaim completed']);
  expect(world.server.size).toBe(0);
});
