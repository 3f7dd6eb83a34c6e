import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { RpcError } from '#lib/machinery/rpc.ts';
import { eventually } from '#test/support/eventually.ts';
import { FOREVER, shell } from './builders.ts';
import { DRIVER, type FolderDriver, folderOf } from './csi/driver.ts';
import { at, claimed, DriverNode, leftVolumes } from './csi/volumes.ts';
import { leftoversAfterKills, leftoversSoon } from './leftovers.ts';
import type { TestNode } from './test-node.ts';

let here: DriverNode;
let node: TestNode;
let driver: FolderDriver;

beforeAll(async () => {
  here = await DriverNode.start(DRIVER, {
    podInfoOnMount: true,
    fsGroupPolicy: 'File',
    volumeLifecycleModes: ['Persistent', 'Ephemeral'],
    tokenRequests: [{ audience: 'vault' }],
  });
  ({ node, driver } = here);
});
afterAll(() => here[Symbol.asyncDispose]());
afterEach(() => here.clear());

test('stages and publishes a claim for a pod, whose file is in the volume, and unpublishes it', async () => {
  await here.volume('one', { csi: { volumeAttributes: { size: 'big' } } });
  await node.apply(claimed('one', `echo hello > /data/file; ${FOREVER}`));
  await here.isReady('one');
  expect(readFileSync(join(folderOf('handle-one'), 'file'), 'utf8')).toBe('hello\n');
  expect(driver.changes).toEqual(['nodeStageVolume', 'nodePublishVolume']);
  expect(driver.last('nodePublishVolume')).toMatchObject({
    volumeId: 'handle-one',
    readonly: false,
    volumeCapability: { mount: { fsType: '' }, accessMode: { mode: 7 } },
    volumeContext: {
      size: 'big',
      'csi.storage.k8s.io/pod.name': 'one',
      'csi.storage.k8s.io/ephemeral': 'false',
      'csi.storage.k8s.io/serviceAccount.tokens': expect.stringContaining('{"vault":{"token":'),
    },
  });
  await node.output('delete', 'pod', 'one', '--timeout=60s');
  await eventually(() => expect(driver.changes).toContain('nodeUnstageVolume'));
  expect(driver.changes.slice(2)).toEqual(['nodeUnpublishVolume', 'nodeUnstageVolume']);
});

test('assigns the files of a volume to the group of the pod', async () => {
  await here.volume('group');
  writeFileSync(join(folderOf('handle-group'), 'mine'), '');
  await node.apply(claimed('group', FOREVER, { securityContext: { fsGroup: 2345 } }));
  await here.isReady('group');
  expect(statSync(join(folderOf('handle-group'), 'mine')).gid).toBe(2345);
});

test('mounts an inline volume without staging it', async () => {
  const volumes = [{ name: 'data', csi: { driver: DRIVER, volumeAttributes: { kind: 'tiny' } } }];
  await node.apply(claimed('inline', `echo x > /data/x; ${FOREVER}`, { volumes }));
  await here.isReady('inline');
  expect(driver.changes).toEqual(['nodePublishVolume']);
  expect(driver.last('nodePublishVolume')).toMatchObject({
    volumeId: expect.stringMatching(/^csi-[0-9a-f]{64}$/),
    volumeContext: { kind: 'tiny', 'csi.storage.k8s.io/ephemeral': 'true' },
  });
});

test('attaches a raw block volume to a container', async () => {
  await here.volume('raw', { spec: { volumeMode: 'Block' } });
  const container = shell(`echo -n bytes | dd of=/dev/raw conv=notrunc && ${FOREVER}`, {
    volumeDevices: [{ name: 'data', devicePath: '/dev/raw' }],
  });
  await node.apply(claimed('raw', '', { containers: [container] }));
  await here.isReady('raw');
  await eventually(() => readFileSync(join(folderOf('handle-raw'), 'disk'), 'latin1').startsWith('bytes'));
  await node.output('delete', 'pod', 'raw', '--timeout=60s');
  await eventually(() => expect(driver.changes).toContain('nodeUnstageVolume'));
});

test('has a driver expand a volume in use, and shows its size in the claim and its use in the metrics', async () => {
  await here.volume('grow');
  await node.apply(claimed('grow', FOREVER));
  await here.isReady('grow');
  await node.output('patch', 'pv', 'pv-grow', '-p', JSON.stringify({ spec: { capacity: { storage: '3Mi' } } }));
  const status = {
    allocatedResources: { storage: '3Mi' },
    allocatedResourceStatuses: { storage: 'NodeResizePending' },
    conditions: [{ type: 'FileSystemResizePending', status: 'True' }],
  };
  await node.output('patch', 'pvc', 'grow', '--subresource=status', '-p', JSON.stringify({ status }));
  const claim = (path: string): Promise<string> => node.output('get', 'pvc', 'grow', '-o', at(`.status.${path}`));
  await eventually(
    async () => (await claim('capacity.storage')) === '3Mi',
    () => node.log.slice(-3000),
  );
  expect(driver.last('nodeExpandVolume')).toMatchObject({
    volumeId: 'handle-grow',
    volumePath: expect.stringMatching(/kubernetes\.io~csi\/pv-grow\/mount$/),
    capacityRange: { requiredBytes: 3 << 20 },
  });
  expect(await claim('conditions')).toBe('');
  const seen = await node.output('get', 'events', '-o', at('.items[*].reason'));
  expect(seen).toContain('FileSystemResizeSuccessful');
  const metric = 'kubelet_volume_stats_used_bytes{namespace="default",persistentvolumeclaim="grow"} 7';
  await eventually(async () =>
    expect(await node.output('get', '--raw', '/api/v1/nodes/n1/proxy/metrics')).toContain(metric),
  );
  expect(await node.output('get', '--raw', '/api/v1/nodes/n1/proxy/stats/summary')).toMatch(/"usedBytes":\s*7\b/);
});

test('reports why a driver does not publish, and continues when it does', async () => {
  await here.volume('later');
  driver.failing.set('nodePublishVolume', new RpcError('Internal', 'no room'));
  await node.apply(claimed('later', FOREVER));
  await eventually(async () =>
    expect(await node.output('get', 'events', '-o', at('.items[*].message'))).toContain(
      'MountVolume.SetUp failed for volume "pv-later" : rpc error: code = Internal desc = no room',
    ),
  );
  driver.failing.clear();
  await here.isReady('later');
});

test.each(['nodeStageVolume', 'nodePublishVolume', 'nodeUnpublishVolume', 'nodeUnstageVolume'])(
  'leaves no files when the agent is killed in %s and the pod is deleted meanwhile',
  async (method) => {
    await here.volume('kill');
    driver.hanging.add(method);
    await node.apply(claimed('kill', FOREVER));
    if (method.includes('Un')) {
      await here.isReady('kill');
      await node.output('delete', 'pod', 'kill', '--wait=false');
    }
    await eventually(
      () => driver.changes.includes(method),
      () => node.log.slice(-3000),
    );
    node.killAgent();
    if (!method.includes('Un')) await node.output('delete', 'pod', 'kill', '--wait=false');
    driver.hanging.clear();
    await node.restartAgent();
    await node.isReady();
    await eventually(
      () => leftVolumes().length === 0,
      () => `${leftVolumes().join('\n')}\n${node.log.slice(-3000)}`,
    );
    expect(existsSync(folderOf('handle-kill'))).toBe(true);
  },
);

test('drops a driver whose sockets are gone, and registers it again', async () => {
  await driver.close();
  await eventually(async () => expect(await here.drivers()).toBe(''));
  await driver.serve();
  await eventually(async () => expect(await here.drivers()).toBe(DRIVER));
  expect(await node.output('get', 'node', 'n1', '-o', at('.metadata.labels'))).toContain('folders.example.com/host');
});

test('leaves no files on the machine', async () => {
  await eventually(
    () => leftoversSoon(leftoversAfterKills(node.log)).length === 0,
    () => leftoversSoon(leftoversAfterKills(node.log)).join('\n'),
  );
});
