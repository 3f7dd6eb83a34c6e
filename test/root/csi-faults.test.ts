import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { RpcError } from '#lib/machinery/rpc.ts';
import { eventually } from '#test/support/eventually.ts';
import { aPod, FOREVER } from './builders.ts';
import type { FolderDriver } from './csi/driver.ts';
import { at, claimed, DriverNode, leftVolumes } from './csi/volumes.ts';
import { leftovers, leftoversSoon } from './leftovers.ts';
import type { TestNode } from './test-node.ts';

const NAME = 'faulty.csi.example.com';
let here: DriverNode;
let node: TestNode;
let driver: FolderDriver;

beforeAll(async () => {
  here = await DriverNode.start(NAME, { requiresRepublish: true });
  ({ node, driver } = here);
});
afterAll(() => here[Symbol.asyncDispose]());
afterEach(() => here.clear());

const callsOf = (method: string, volume: string): number =>
  driver.calls.filter((call) => call.method === method && call.request['volumeId'] === `handle-${volume}`).length;
const phaseOf = (pod: string): Promise<string> => node.output('get', 'pod', pod, '-o', at('.status.phase'));

test.each(['nodeStageVolume', 'nodePublishVolume'])(
  'a driver that does not respond to %s for one volume delays no other pod',
  async (method) => {
    await here.volume('slow');
    await here.volume('quick');
    driver.held.add(`${method} of handle-slow`);
    await node.apply(claimed('slow', FOREVER));
    await eventually(() => expect(callsOf(method, 'slow')).toBe(1));
    await node.apply(claimed('quick', FOREVER), aPod('none'));
    await here.isReady('quick');
    await here.isReady('none');
    await node.output('delete', 'pod', 'quick', 'none', '--timeout=60s');
    expect(await phaseOf('slow')).toBe('Pending');
    driver.held.clear();
    await here.isReady('slow');
  },
);

test('a pod deleted while the driver publishes has its volume unpublished when the driver responds', async () => {
  await here.volume('gone');
  driver.held.add('nodePublishVolume of handle-gone');
  await node.apply(claimed('gone', FOREVER));
  await eventually(() => expect(callsOf('nodePublishVolume', 'gone')).toBe(1));
  await node.output('delete', 'pod', 'gone', '--grace-period=1', '--wait=false');
  await node.output('wait', '--for=delete', 'pod/gone', '--timeout=2s').catch(() => undefined);
  expect(callsOf('nodeUnpublishVolume', 'gone')).toBe(0);
  driver.held.clear();
  await eventually(
    () => callsOf('nodeUnstageVolume', 'gone') > 0,
    () => node.log.slice(-3000),
  );
  expect(callsOf('nodeUnpublishVolume', 'gone')).toBeGreaterThan(0);
});

test('a volume that the driver published, but reported as forbidden, is unpublished with its pod', async () => {
  await here.volume('maybe');
  driver.lying.set('nodePublishVolume', new RpcError('Unavailable', 'who knows'));
  await node.apply(claimed('maybe', FOREVER));
  await eventually(() => leftVolumes().some((line) => line.includes('~csi/pv-maybe/mount ')));
  await node.output('delete', 'pod', 'maybe', '--grace-period=1', '--timeout=60s');
  expect(callsOf('nodeUnpublishVolume', 'maybe')).toBeGreaterThan(0);
});

test('retries a driver that fails to unpublish, and keeps the pod until it succeeds', async () => {
  await here.volume('stuck');
  await node.apply(claimed('stuck', FOREVER));
  await here.isReady('stuck');
  driver.failing.set('nodeUnpublishVolume', new RpcError('Internal', 'busy'));
  await node.output('delete', 'pod', 'stuck', '--grace-period=1', '--wait=false');
  await eventually(() => expect(callsOf('nodeUnpublishVolume', 'stuck')).toBeGreaterThan(1));
  expect(await node.output('get', 'pods', '-o', 'name')).toBe('pod/stuck\n');
  driver.failing.clear();
  await eventually(async () => expect(await node.output('get', 'pods', '-o', 'name')).toBe(''));
});

test('a volume that the driver has deleted leaves neither its pod’s folder nor a mount', async () => {
  await here.volume('lost');
  await node.apply(claimed('lost', FOREVER));
  await here.isReady('lost');
  for (const method of ['nodeUnpublishVolume', 'nodeUnstageVolume'])
    driver.failing.set(method, new RpcError('NotFound', 'no volume handle-lost'));
  await node.output('delete', 'pod', 'lost', '--grace-period=1', '--timeout=60s');
  await eventually(
    () => leftVolumes().length === 0,
    () => `${leftVolumes().join('\n')}\n${node.log.slice(-3000)}`,
  );
  expect([callsOf('nodeUnpublishVolume', 'lost'), callsOf('nodeUnstageVolume', 'lost')]).toEqual([1, 1]);
});

test('a pod deleted while its driver is unavailable ends when the driver is back', async () => {
  await here.volume('away');
  await node.apply(claimed('away', FOREVER));
  await here.isReady('away');
  await driver.close();
  await eventually(async () => expect(await here.drivers()).toBe(''));
  await node.output('delete', 'pod', 'away', '--grace-period=1', '--wait=false');
  await eventually(() =>
    expect(node.log).toContain(`driver name ${NAME} not found in the list of registered CSI drivers`),
  );
  expect(await node.output('get', 'pods', '-o', 'name')).toBe('pod/away\n');
  await driver.serve();
  await eventually(async () => expect(await node.output('get', 'pods', '-o', 'name')).toBe(''));
});

test('a driver that requests it republishes a volume at each sync, even after a failure', async () => {
  await here.volume('again');
  await node.apply(claimed('again', FOREVER));
  await here.isReady('again');
  await eventually(() => expect(callsOf('nodePublishVolume', 'again')).toBeGreaterThan(2));
  driver.failing.set('nodePublishVolume', new RpcError('Internal', 'no'));
  const before = callsOf('nodePublishVolume', 'again');
  await eventually(() => callsOf('nodePublishVolume', 'again') > before);
  driver.failing.clear();
  const failed = callsOf('nodePublishVolume', 'again');
  await eventually(() => callsOf('nodePublishVolume', 'again') > failed + 1);
  expect(await phaseOf('again')).toBe('Running');
  expect(callsOf('nodeStageVolume', 'again')).toBe(1);
});

test("the summary shows the driver's usage, never below zero, and waits for no driver", async () => {
  await here.volume('lies');
  driver.usage = [{ available: -5, total: 10, used: 1e15, unit: 1 }];
  await node.apply(claimed('lies', FOREVER));
  await here.isReady('lies');
  const summary = (): Promise<string> => node.output('get', '--raw', '/api/v1/nodes/n1/proxy/stats/summary');
  await eventually(async () => expect(await summary()).toMatch(/"usedBytes":\s*1000000000000000\b/));
  expect(await summary()).toMatch(/"availableBytes":\s*0\b/);
  driver.held.add('nodeGetVolumeStats of handle-lies');
  const before = callsOf('nodeGetVolumeStats', 'lies');
  await eventually(() => callsOf('nodeGetVolumeStats', 'lies') > before);
  expect(await summary()).toContain('"usedBytes":');
});

test('leaves no files on the machine', () =>
  eventually(
    () => leftoversSoon(leftovers()).length === 0,
    () => leftoversSoon(leftovers()).join('\n'),
  ));
