import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Node } from '#lib/api/types/core.v1.ts';
import { CSI_DRIVERS, CSI_NODES, NODES } from '#lib/api/types/resources.ts';
import type { CSINode } from '#lib/api/types/storage.v1.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import type { DeepPartial, NodeGetInfoResponse } from '#lib/node/csi/generated/csi-v1.ts';
import { StepClock } from '#lib/node/kubelet/testing/step-clock.ts';
import { World } from '#test/support/controllers/world.ts';
import { eventually } from '#test/support/eventually.ts';
import { CSINodeRecords } from './node-info.ts';
import { NodeUpdates } from './node-updates.ts';
import { CSIDrivers } from './registration.ts';
import { fakeNodeClient } from './testing/fake-driver.ts';
import { highestSupported, versionText } from './versions.ts';

const never = new AbortController().signal;
const DRIVER = 'hostpath.csi.example.com';
let world: World;
let client: Clientset;
let faults: unknown[];
let records: CSINodeRecords;
let info: DeepPartial<NodeGetInfoResponse>;
let released: string[];
let drivers: CSIDrivers;

beforeEach(async () => {
  world = new World();
  client = clientset(world.user);
  faults = [];
  released = [];
  info = { nodeId: 'id-1', maxVolumesPerNode: 2, accessibleTopology: { segments: { 'topology.example.com/z': 'a' } } };
  await client.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } });
  const onFault = (error: unknown): void => void faults.push(error);
  records = new CSINodeRecords({ client, node: 'n1', clock: new StepClock(), isRegistered: () => true, onFault });
  drivers = new CSIDrivers({
    records,
    nodeClient: () => fakeNodeClient({ nodeGetInfo: async () => info }),
    release: (endpoint) => void released.push(endpoint),
    changed: () => undefined,
    onFault,
  });
});
afterEach(() => world.close());

const csiNode = (): Promise<CSINode | undefined> => client.get({ resource: CSI_NODES, namespace: '', name: 'n1' });
const node = (): Promise<Node | undefined> => client.get({ resource: NODES, namespace: '', name: 'n1' });
const annotation = async (): Promise<string | undefined> =>
  (await node())?.metadata.annotations?.['csi.volume.kubernetes.io/nodeid'];

test('creates a CSINode with its Node as owner, after which the node is ready', async () => {
  expect(records.fault).toBe('CSINode is not yet initialized');
  await records.initialize(never);
  expect(records.fault).toBeUndefined();
  const made = await csiNode();
  const uid = (await node())?.metadata.uid;
  expect(made?.metadata.ownerReferences).toEqual([{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid }]);
  expect(made?.metadata.annotations?.['storage.alpha.kubernetes.io/migrated-plugins']).toBe(
    'kubernetes.io/aws-ebs,kubernetes.io/azure-disk,kubernetes.io/azure-file,kubernetes.io/cinder,kubernetes.io/gce-pd,kubernetes.io/portworx-volume,kubernetes.io/vsphere-volume',
  );
  const heads = await world.heads();
  await records.initialize(never);
  expect(await world.heads()).toEqual(heads);
});

test('waits for a Node that is registered later without reporting a fault before', async () => {
  await client.delete({ resource: NODES, namespace: '', name: 'n1' });
  const clock = new StepClock(async (count) => {
    if (count < 12) return;
    await client.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } });
    late.wake();
  });
  const onFault = (error: unknown): void => void faults.push(error);
  const late = new CSINodeRecords({ client, node: 'n1', clock, isRegistered: () => false, onFault });
  await late.initialize(never);
  expect(clock.sleeps).toEqual([10, 50, 250, 1000, 10, 50, 250, 2000, 10, 50, 250, 4000]);
  expect(faults).toEqual([]);
  expect(late.fault).toBeUndefined();
});

test('reports that a registered Node has no CSINode', async () => {
  await client.delete({ resource: NODES, namespace: '', name: 'n1' });
  const ending = new AbortController();
  const clock = new StepClock(async (count) => {
    if (count === 4) ending.abort();
  });
  const onFault = (error: unknown): void => void faults.push(error);
  const late = new CSINodeRecords({ client, node: 'n1', clock, isRegistered: () => true, onFault });
  await late.initialize(ending.signal);
  expect(faults).toHaveLength(1);
});

test('replaces the CSINode of an earlier node with the same name', async () => {
  await records.initialize(never);
  await client.delete({ resource: NODES, namespace: '', name: 'n1' });
  await client.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } });
  await records.initialize(never);
  expect((await csiNode())?.metadata.ownerReferences?.[0]?.uid).toBe((await node())?.metadata.uid);
});

test('records a driver on Node and CSINode, and removes it again', async () => {
  await drivers.registerPlugin(DRIVER, '/csi.sock', ['1.0.0']);
  expect((await csiNode())?.spec.drivers).toEqual([
    { name: DRIVER, nodeID: 'id-1', topologyKeys: ['topology.example.com/z'], allocatable: { count: 2 } },
  ]);
  expect(await annotation()).toBe(`{"${DRIVER}":"id-1"}`);
  expect((await node())?.metadata.labels).toMatchObject({ 'topology.example.com/z': 'a' });
  drivers.deRegisterPlugin(DRIVER, '/csi.sock');
  expect(drivers.has(DRIVER)).toBe(false);
  await eventually(async () => expect(await annotation()).toBeUndefined());
  expect((await csiNode())?.spec.drivers ?? []).toEqual([]);
  expect(released).toEqual(['/csi.sock']);
});

test('keeps a driver that registers again at once', async () => {
  await drivers.registerPlugin(DRIVER, '/csi.sock', ['1.0.0']);
  drivers.deRegisterPlugin(DRIVER, '/csi.sock');
  info = { nodeId: 'id-2', maxVolumesPerNode: 0 };
  await drivers.registerPlugin(DRIVER, '/csi.sock', ['1.0.0']);
  expect((await csiNode())?.spec.drivers).toEqual([{ name: DRIVER, nodeID: 'id-2', topologyKeys: null }]);
  expect(await annotation()).toBe(`{"${DRIVER}":"id-2"}`);
});

test('writes no changes for a recorded driver, such as after a restart of the agent', async () => {
  await drivers.registerPlugin(DRIVER, '/csi.sock', ['1.0.0']);
  const heads = await world.heads();
  await records.install(DRIVER, await drivers.nodeInfo(DRIVER));
  expect(await world.heads()).toEqual(heads);
});

test('does not register a driver without node info', async () => {
  const failing = new CSIDrivers({
    records,
    nodeClient: () =>
      fakeNodeClient({
        nodeGetInfo: async () => {
          throw new RpcError('Internal', 'no disk');
        },
      }),
    release: () => undefined,
    changed: () => undefined,
    onFault: () => undefined,
  });
  await expect(failing.registerPlugin(DRIVER, '/csi.sock', ['1.0.0'])).rejects.toThrow('no disk');
  expect(() => failing.client(DRIVER)).toThrow(`driver name ${DRIVER} not found in the list of registered CSI drivers`);
});

test('rejects a driver if a topology label has another value', async () => {
  await client.patch(
    { resource: NODES, namespace: '', name: 'n1' },
    { metadata: { labels: { 'topology.example.com/z': 'b' } } },
  );
  await expect(drivers.registerPlugin(DRIVER, '/csi.sock', ['1.0.0'])).rejects.toThrow(
    'error updating Node object with CSI driver node info: error updating node: timed out waiting for the condition; caused by: detected topology value collision: driver reported "topology.example.com/z":"a" but existing label is "topology.example.com/z":"b"',
  );
  expect(drivers.has(DRIVER)).toBe(false);
});

test.each([
  [[], 'ValidatePlugin for CSI driver "d" failed. Plugin returned an empty list for supported versions'],
  [
    ['0.3.0'],
    'None of the versions specified ["0.3.0"] are supported. err=highest supported version reported is 0.3.0, must be v1.x',
  ],
  [['2.0'], 'err=could not find a highest supported version from versions ([2.0]) reported: <nil>'],
  [['x'], 'reported: could not parse "x" as version'],
])('rejects the versions %j', (versions, reason) => {
  expect(() => drivers.validatePlugin('d', '/s', versions)).toThrow(reason);
});

test('rejects a second driver with the same name unless its version is higher', async () => {
  await drivers.registerPlugin(DRIVER, '/csi.sock', ['1.1.0']);
  expect(() => drivers.validatePlugin(DRIVER, '/other.sock', ['1.1.0'])).toThrow(
    `validation failed for CSI Driver ${DRIVER} at endpoint /other.sock: kubernetes.io/csi: ValidatePlugin for CSI driver "${DRIVER}" failed. Another driver with the same name is already registered with a higher supported version: "1.1.0"`,
  );
  await drivers.registerPlugin(DRIVER, '/other.sock', ['1.2.0']);
  drivers.deRegisterPlugin(DRIVER, '/csi.sock');
  expect(drivers.has(DRIVER)).toBe(true);
});

test('selects the highest version below the next major version', () => {
  expect(versionText(highestSupported(['v1.2.0', '1.10.0', '2.0.0', '0.3']))).toBe('1.10.0');
});

test("requests a driver's node info again at the interval in its CSIDriver", async () => {
  await client.create(CSI_DRIVERS, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name: DRIVER },
    spec: { nodeAllocatableUpdatePeriodSeconds: 30 },
  });
  await drivers.registerPlugin(DRIVER, '/csi.sock', ['1.0.0']);
  const clock: StepClock = new StepClock((count) => {
    if (count === 2) updates[Symbol.dispose]();
    info = { ...info, maxVolumesPerNode: 5 };
  });
  const updates: NodeUpdates = new NodeUpdates({
    clock,
    csiDriver: (name) => client.get({ resource: CSI_DRIVERS, namespace: '', name }),
    isRegistered: (name) => drivers.has(name),
    update: async (name) => records.update(name, await drivers.nodeInfo(name)),
    onFault: (error) => void faults.push(error),
  });
  updates.changed(DRIVER);
  await eventually(() => expect(clock.sleeps).toHaveLength(2));
  expect(clock.sleeps).toEqual([30_000, 30_000]);
  expect((await csiNode())?.spec.drivers?.[0]?.allocatable).toEqual({ count: 5 });
  expect(faults).toEqual([]);
});
