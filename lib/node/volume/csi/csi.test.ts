import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { PersistentVolumeSpec } from '#lib/api/types/core.v1.ts';
import type { CSIDriverSpec, VolumeAttachmentStatus } from '#lib/api/types/storage.v1.ts';
import { notFound } from '#lib/machinery/errors.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import {
  NodeServiceCapability_RPC_Type as Ability,
  type NodeExpandVolumeRequest,
  type NodePublishVolumeRequest,
  type NodeStageVolumeRequest,
} from '#lib/node/csi/generated/csi-v1.ts';
import { aPod, MemoryHost } from '../testing/memory-host.ts';
import type { VolumePlugin, VolumeSpec } from '../volume.ts';
import { csiPlugin } from './csi.ts';
import { fakeNodeClient } from './testing/fake-driver.ts';
import { MemoryNotes } from './testing/memory-notes.ts';

const TARGET = '/var/lib/kubelet/pods/u1/volumes/kubernetes.io~csi/pv1/mount';
const DATA = '/var/lib/kubelet/pods/u1/volumes/kubernetes.io~csi/pv1/vol_data.json';

let host: MemoryHost;
let notes: MemoryNotes;
let abilities: Ability[];
let driver: CSIDriverSpec | undefined;
let attachment: VolumeAttachmentStatus | undefined;
let published: NodePublishVolumeRequest[];
let staged: NodeStageVolumeRequest[];
let unpublished: string[];
let expansions: NodeExpandVolumeRequest[];
let usage: { unit: 1 | 2; available: number; total: number; used: number }[];
let measured: string[];
let failure: RpcError | undefined;
let isRegistered: boolean;
let updated: string[];
let plugin: VolumePlugin;

beforeEach(() => {
  host = new MemoryHost();
  notes = new MemoryNotes();
  abilities = [Ability.STAGE_UNSTAGE_VOLUME];
  driver = { attachRequired: false, fsGroupPolicy: 'ReadWriteOnceWithFSType', volumeLifecycleModes: ['Persistent'] };
  attachment = undefined;
  [published, staged, unpublished] = [[], [], []];
  [expansions, usage, measured] = [[], [], []];
  failure = undefined;
  isRegistered = true;
  updated = [];
  const client = fakeNodeClient({
    nodeGetCapabilities: async () => ({ capabilities: abilities.map((type) => ({ rpc: { type } })) }),
    nodeStageVolume: async (request) => {
      staged.push(request);
      return {};
    },
    nodeUnstageVolume: async () => {
      if (failure !== undefined) throw failure;
      return {};
    },
    nodePublishVolume: async (request) => {
      published.push(request);
      if (failure !== undefined) throw failure;
      return {};
    },
    nodeGetVolumeStats: async ({ volumeId, volumePath }) => {
      measured.push(`${volumeId} ${volumePath}`);
      return { usage };
    },
    nodeExpandVolume: async (request) => {
      expansions.push(request);
      if (failure !== undefined) throw failure;
      return {};
    },
    nodeUnpublishVolume: async ({ targetPath }) => {
      unpublished.push(targetPath);
      if (failure !== undefined) throw failure;
      return {};
    },
  });
  plugin = csiPlugin({
    host,
    notes,
    node: 'n1',
    client: (name) => {
      if (!isRegistered) throw new Error(`driver name ${name} not found in the list of registered CSI drivers`);
      return client;
    },
    csiDriver: async () => driver && { metadata: { name: 'd' }, spec: driver },
    attachment: async (name) => {
      if (attachment === undefined) throw notFound({ group: 'storage.k8s.io', resource: 'volumeattachments' }, name);
      const source = { persistentVolumeName: 'pv1' };
      return { metadata: { name }, spec: { attacher: 'd', nodeName: 'n1', source }, status: attachment };
    },
    updateNode: async (name) => void updated.push(name),
    secret: async () => ({ metadata: {}, data: { password: Buffer.from('hunter2').toString('base64') } }),
  });
});

const pv = (csi: Partial<PersistentVolumeSpec['csi']> = {}, more: Partial<PersistentVolumeSpec> = {}): VolumeSpec => ({
  name: 'pv1',
  persistentVolume: {
    metadata: { name: 'pv1' },
    spec: { accessModes: ['ReadWriteOnce'], ...more, csi: { driver: 'd', volumeHandle: 'h', ...csi } },
    status: {},
  },
  readOnly: false,
});

const setUp = async (spec: VolumeSpec, args: object = {}) => {
  const mounter = await plugin.mounter(spec, aPod());
  await mounter.setUp(args);
  return mounter;
};

test.each([
  ['ReadWriteOnce', false, 1],
  ['ReadWriteOncePod', false, 1],
  ['ReadOnlyMany', false, 3],
  ['ReadWriteMany', false, 5],
  ['ReadWriteOnce', true, 7],
  ['ReadWriteOncePod', true, 6],
])('passes the access mode %s to a driver with multi writer support %s', async (mode, isKnown, told) => {
  if (isKnown) abilities.push(Ability.SINGLE_NODE_MULTI_WRITER);
  await setUp(pv({}, { accessModes: [mode] }));
  expect(published[0]?.volumeCapability?.accessMode?.mode).toBe(told);
});

test.each([
  ['ReadWriteOnceWithFSType', 'ext4', ['ReadWriteOnce'], true],
  ['ReadWriteOnceWithFSType', '', ['ReadWriteOnce'], false],
  ['ReadWriteOnceWithFSType', 'ext4', ['ReadWriteMany'], false],
  ['File', '', ['ReadWriteMany'], true],
  ['None', 'ext4', ['ReadWriteOnce'], false],
])(
  'checks for fsGroupPolicy %s, file system %j and modes %j whether the kubelet changes the group: %s',
  async (...row) => {
    const [fsGroupPolicy, fsType, accessModes, isChanged] = row;
    driver = { ...driver, fsGroupPolicy };
    await setUp(pv({ fsType }, { accessModes }), { fsGroup: 7 });
    expect(host.files.owned).toEqual(isChanged ? [{ path: TARGET, fsGroup: 7, readOnly: false }] : []);
  },
);

test('leaves the group to a driver that mounts with one', async () => {
  abilities.push(Ability.VOLUME_MOUNT_GROUP);
  await setUp(pv({ fsType: 'ext4' }), { fsGroup: 7 });
  expect(published[0]?.volumeCapability?.mount?.volumeMountGroup).toBe('7');
  expect(host.files.owned).toEqual([]);
});

test('writes the data file before the driver publishes, and removes it with the volume', async () => {
  await setUp(pv());
  expect(JSON.parse(notes.texts.get(DATA) ?? '')).toMatchObject({
    specVolID: 'pv1',
    volumeHandle: 'h',
    driverName: 'd',
    nodeName: 'n1',
    volumeLifecycleMode: 'Persistent',
  });
  await plugin.tearDown('pv1', 'u1');
  expect(unpublished).toEqual([TARGET]);
  expect(notes.texts.size).toBe(0);
  await plugin.tearDown('pv1', 'u1');
  expect(unpublished).toEqual([TARGET]);
});

test.each([
  ['Internal', {}, false],
  ['Unavailable', {}, true],
  ['Internal', { isRemount: true }, true],
] as const)('keeps the data file after %s with %j: %s', async (code, args, isKept) => {
  failure = new RpcError(code, 'no');
  await expect(setUp(pv(), args)).rejects.toThrow(`rpc error: code = ${code} desc = no`);
  expect(notes.texts.has(DATA)).toBe(isKept);
});

describe('a volume that its driver has deleted', () => {
  const gone = new RpcError('NotFound', 'no volume h');
  const mount = (...targets: readonly string[]): Promise<unknown> =>
    Promise.all(targets.map((target) => host.mounter.mount({ source: '/v', target, fsType: '', options: ['bind'] })));

  test('is unmounted from publish and staging paths by the agent, which removes the data files', async () => {
    const path = (await plugin.device?.deviceMountPath(pv())) ?? '';
    await plugin.device?.mountDevice(pv(), path, {});
    await setUp(pv());
    await mount(path, TARGET, TARGET);
    failure = gone;
    await plugin.tearDown('pv1', 'u1');
    await plugin.device?.unmountDevice('pv1', path);
    expect([...host.mounter.mounts, ...notes.texts.keys()]).toEqual([]);
  });

  test('is unmounted and removed by the agent if it is a block device', async () => {
    const spec = pv({}, { volumeMode: 'Block' });
    const root = '/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices';
    await plugin.block?.setUpDevice?.(spec);
    await plugin.block?.mapDevice(spec, aPod());
    notes.texts.set(`${root}/publish/pv1/u1`, '');
    await mount(`${root}/publish/pv1/u1`);
    failure = gone;
    await plugin.block?.unmapDevice('pv1', 'u1');
    await plugin.block?.tearDownDevice?.('pv1');
    expect([...host.mounter.mounts, ...notes.texts.keys()]).toEqual([]);
  });

  test.each([
    ['a mount that is busy', gone, 'umount: target is busy'],
    ['another failure', new RpcError('Internal', 'no'), 'rpc error: code = Internal desc = no'],
  ])('keeps its data file with %s, for the next attempt', async (_, reason, text) => {
    await setUp(pv());
    await mount(TARGET);
    vi.spyOn(host.mounter, 'unmount').mockRejectedValue(new Error('umount: target is busy'));
    failure = reason;
    await expect(plugin.tearDown('pv1', 'u1')).rejects.toThrow(
      `kubernetes.io/csi: Unmounter.TearDownAt failed: ${text}`,
    );
    expect(notes.texts.has(DATA)).toBe(true);
  });
});

test('passes tokens as attributes, or as secrets if the driver requests that', async () => {
  const tokens = {
    'csi.storage.k8s.io/serviceAccount.tokens':
      '{"vault":{"token":"token of robot for vault","expirationTimestamp":"2026-01-02T04:04:05Z"}}',
  };
  driver = { ...driver, tokenRequests: [{ audience: 'vault' }], requiresRepublish: true };
  const secret = { nodePublishSecretRef: { name: 's', namespace: 'ns' } };
  const { attributes } = await setUp(pv(secret));
  expect(attributes.republish).toBe(true);
  driver = { ...driver, serviceAccountTokenInSecrets: true };
  await setUp(pv(secret));
  expect(published.map(({ volumeContext, secrets }) => ({ volumeContext, secrets }))).toEqual([
    { volumeContext: tokens, secrets: { password: 'hunter2' } },
    { volumeContext: {}, secrets: { password: 'hunter2', ...tokens } },
  ]);
});

test("rejects a pod's volume if the driver does not support such volumes", async () => {
  const spec = { name: 'v', volume: { name: 'v', csi: { driver: 'd' } }, readOnly: false };
  await expect(setUp(spec)).rejects.toThrow(
    'kubernetes.io/csi: mounter.SetupAt failed to check volume lifecycle mode: volume mode "Ephemeral" not supported by driver d (only supports ["Persistent"])',
  );
  driver = undefined;
  await expect(setUp(spec)).rejects.toThrow('volume mode "Ephemeral" not supported by driver d (no CSIDriver object)');
});

test('reports a driver that is not registered', async () => {
  isRegistered = false;
  await expect(setUp(pv())).rejects.toThrow(
    'kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name d not found in the list of registered CSI drivers',
  );
});

const growing = (spec: VolumeSpec, block = false) =>
  plugin.expand?.({ spec, pod: aPod(), block, newSize: '2Mi', oldSize: '1Mi' });

test.each([
  [false, TARGET, '/var/lib/kubelet/plugins/kubernetes.io/csi/d/', { mount: { fsType: 'xfs', mountFlags: ['sync'] } }],
  [
    true,
    '/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/publish/pv1/u1',
    '/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/staging/pv1',
    { block: {} },
  ],
])('calls a driver to expand a volume with block %s', async (block, path, staging, capability) => {
  abilities.push(Ability.EXPAND_VOLUME);
  const nodeExpandSecretRef = { name: 's', namespace: 'ns' };
  await growing(pv({ fsType: 'xfs', nodeExpandSecretRef }, { mountOptions: ['sync'] }), block);
  expect(expansions).toMatchObject([
    {
      volumeId: 'h',
      volumePath: path,
      stagingTargetPath: expect.stringContaining(staging),
      capacityRange: { requiredBytes: 2 << 20 },
      volumeCapability: { accessMode: { mode: 1 }, ...capability },
      secrets: { password: 'hunter2' },
    },
  ]);
});

test.each([
  ['FailedPrecondition', 'inUse'],
  ['OutOfRange', 'infeasible'],
  ['InvalidArgument', 'infeasible'],
  ['NotFound', 'infeasible'],
  ['Internal', 'failed'],
  ['DeadlineExceeded', 'pending'],
  ['Unavailable', 'pending'],
] as const)('maps the code %s of an expansion to %s', async (code, fault) => {
  abilities.push(Ability.EXPAND_VOLUME);
  failure = new RpcError(code, 'no');
  await expect(growing(pv())).rejects.toMatchObject({ fault });
});

test('distinguishes drivers that do not expand on nodes from unavailable ones', async () => {
  await expect(growing(pv())).rejects.toMatchObject({
    fault: 'notSupported',
    message: 'NodeExpand is not supported by the CSI driver d',
  });
  isRegistered = false;
  await expect(growing(pv())).rejects.toMatchObject({ fault: 'pending' });
});

test("returns the driver's usage of a volume, or none if the driver cannot measure it", async () => {
  const mounter = await plugin.mounter(pv(), aPod());
  expect(await mounter.stats?.()).toBeUndefined();
  abilities.push(Ability.GET_VOLUME_STATS);
  usage = [
    { unit: 1, available: 3, total: 10, used: 7 },
    { unit: 2, available: -1, total: 20, used: 20 },
  ];
  expect(await mounter.stats?.()).toEqual({
    availableBytes: 3n,
    capacityBytes: 10n,
    usedBytes: 7n,
    inodesFree: 0n,
    inodes: 20n,
    inodesUsed: 20n,
  });
  expect(measured).toEqual([`h ${TARGET}`]);
  await plugin.block?.stats?.(pv(), aPod())();
  expect(measured[1]).toBe('h /var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/publish/pv1/u1');
  usage = [];
  await expect(mounter.stats?.()).rejects.toThrow('failed to get usage from response. usage is nil');
});

test("stages with the attacher's metadata and finds the volume on disk afterwards", async () => {
  driver = undefined;
  attachment = { attached: true, attachmentMetadata: { disk: '/dev/sdx' } };
  const path = (await plugin.device?.deviceMountPath(pv())) ?? '';
  await plugin.attach?.waitForAttach(pv());
  await plugin.device?.mountDevice(pv(), path, {});
  expect(staged).toMatchObject([{ volumeId: 'h', stagingTargetPath: path, publishContext: { disk: '/dev/sdx' } }]);
  expect(await plugin.device?.devicesOnDisk?.()).toEqual([{ sharedName: 'd^h', path }]);
  await plugin.device?.unmountDevice('pv1', path);
  expect(await plugin.device?.devicesOnDisk?.()).toEqual([]);
});

test.each<[VolumeAttachmentStatus | undefined, string]>([
  [undefined, 'has GET error for volume attachment csi-'],
  [{ attached: false, attachError: { time: null, message: 'no such disk' } }, 'no such disk'],
])('does not wait for an attachment with status %j', async (status, reason) => {
  attachment = status;
  await expect(plugin.attach?.waitForAttach(pv())).rejects.toThrow(reason);
});

test.each<[number | undefined, number | undefined, boolean]>([
  [60, 8, true],
  [60, 13, false],
  [60, undefined, false],
  [undefined, 8, false],
])(
  'checks for update period %j and error code %j whether the node has too many volumes: %j',
  async (period, errorCode, expected) => {
    driver = { ...driver, ...(period === undefined ? {} : { nodeAllocatableUpdatePeriodSeconds: period }) };
    attachment = {
      attached: false,
      attachError: { time: null, message: 'full', ...(errorCode === undefined ? {} : { errorCode }) },
    };
    expect(await plugin.attach?.verifyExhaustedResource?.(pv())).toBe(expected);
    expect(updated).toEqual(expected ? ['d'] : []);
  },
);

test('ignores a missing attachment', async () => {
  driver = { ...driver, nodeAllocatableUpdatePeriodSeconds: 60 };
  expect(await plugin.attach?.verifyExhaustedResource?.(pv())).toBe(false);
});
