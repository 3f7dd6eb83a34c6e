import { beforeEach, expect, test } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '#lib/api/types/core.v1.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import { csiPlugin } from '#lib/node/volume/csi/csi.ts';
import { fakeNodeClient } from '#lib/node/volume/csi/testing/fake-driver.ts';
import { MemoryNotes } from '#lib/node/volume/csi/testing/memory-notes.ts';
import { aPod, MemoryHost } from '#lib/node/volume/testing/memory-host.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { MemoryPodVolumes } from '../testing/memory-pod-volumes.ts';
import { KubeletVolumeManager } from './kubelet-volume-manager.ts';

const DEADLINE = 120_000;
const EXCEEDED = 'rpc error: code = DeadlineExceeded desc = context deadline exceeded';

let clock: ManualClock;
/** Calls for the slow volume to which the driver does not respond. */
let silent: Set<string>;
/** The calls of the driver, with the time of each in seconds. */
let calls: string[];
let events: string[];
let log: string[];
let manager: KubeletVolumeManager;

/** Advances time in steps of the manager. */
async function pass(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 100) {
    await settled();
    clock.advance(100);
  }
  await settled();
}

/** Ends a call without a response as gRPC does: at its deadline. */
async function call(method: string, volumeId: string, timeout: number | undefined): Promise<object> {
  calls.push(`${method} ${volumeId} ${(clock.monotonic() / 1000).toFixed(1)}`);
  if (volumeId !== 'slow' || !silent.has(method)) return {};
  expect(timeout).toBe(DEADLINE);
  await clock.sleep(timeout ?? 0);
  throw new RpcError('DeadlineExceeded', 'context deadline exceeded');
}

const claim = (name: string): PersistentVolumeClaim => ({
  metadata: { name, namespace: 'ns', uid: `uid-${name}` },
  spec: { volumeName: `pv-${name}`, resources: {} },
  status: { phase: 'Bound' },
});

const volume = (name: string): PersistentVolume => ({
  metadata: { name: `pv-${name}` },
  spec: { claimRef: { uid: `uid-${name}` }, csi: { driver: 'd', volumeHandle: name } },
  status: {},
});

/** A pod that uses the claim with the same name. */
const podOf = (name: string): Pod =>
  aPod({ uid: name, volumes: [{ name: 'data', persistentVolumeClaim: { claimName: name } }] });

beforeEach(() => {
  clock = new ManualClock();
  silent = new Set();
  [calls, events, log] = [[], [], []];
  const host = new MemoryHost();
  const fake = fakeNodeClient({ nodeGetCapabilities: async () => ({ capabilities: [] }) });
  const driver = {
    metadata: { name: 'd' },
    spec: { attachRequired: false, fsGroupPolicy: 'None', volumeLifecycleModes: ['Persistent'] },
  };
  const csi = csiPlugin({
    host,
    notes: new MemoryNotes(),
    node: 'n1',
    client: () => ({
      ...fake,
      nodePublishVolume: ({ volumeId = '' }, { timeout } = {}) => call('publish', volumeId, timeout),
      nodeUnpublishVolume: ({ volumeId = '' }, { timeout } = {}) => call('unpublish', volumeId, timeout),
    }),
    csiDriver: async () => driver,
    attachment: async (name) => {
      throw new Error(`no attachment ${name}`);
    },
    updateNode: async () => undefined,
    secret: async () => ({ metadata: {} }),
  });
  manager = new KubeletVolumeManager({
    rootDirectory: host.rootDirectory,
    clock,
    plugins: [csi],
    folders: new MemoryPodVolumes(),
    subpaths: {
      prepareSafeSubpath: async ({ path }) => path,
      cleanSubPaths: async () => undefined,
      safeMakeDir: async () => undefined,
    },
    claims: { claim: async (_, name) => claim(name), volume: async (name) => volume(name.replace('pv-', '')) },
    reportedVolumes: async () => ({ inUse: [], attached: [] }),
    volumesInUseChanged: () => undefined,
    nodeLabels: async () => ({}),
    recorder: { event: (_about, _type, reason, message) => void events.push(`${reason}: ${message}`) },
    patchStatus: async (status) => status,
    probePlugins: async () => undefined,
    log: (message) => void log.push(message),
  });
});

/** Returns a function for the result of an attempt: undefined while in progress, else the reason of the failure, or '' after a success. */
function watched(attempt: Promise<void>): () => string | undefined {
  let end: string | undefined;
  attempt.then(
    () => (end = ''),
    (error: Error) => (end = error.message),
  );
  return () => end;
}

test('ends a publish without a response after two minutes, reports it, and retries half a second later', async () => {
  silent.add('publish');
  const slow = watched(manager.waitForAttachAndMount(podOf('slow')));
  const quick = watched(manager.waitForAttachAndMount(podOf('quick')));
  await pass(1000);
  expect([slow(), quick(), events]).toEqual([undefined, '', []]);
  await pass(118_000);
  expect(events).toEqual([]);
  await pass(1000);
  expect(events).toEqual([`FailedMount: MountVolume.SetUp failed for volume "pv-slow" : ${EXCEEDED}`]);
  silent.clear();
  await pass(1500);
  expect(slow()).toBe('');
  expect(calls.slice(0, 2).toSorted()).toEqual(['publish quick 0.0', 'publish slow 0.0']);
  expect(Number(calls[2]?.replace('publish slow ', ''))).toBeCloseTo(120.6, 0);
});

test('ends a wait for an unresponsive driver after 2 minutes and 3 seconds, and reuses the call in the next wait', async () => {
  silent.add('publish');
  const first = watched(manager.waitForAttachAndMount(podOf('slow')));
  await pass(123_400);
  expect(first()).toBe(
    'unmounted volumes=[data], unattached volumes=[], failed to process volumes=[]: context deadline exceeded',
  );
  expect(calls).toHaveLength(2);
  const next = watched(manager.waitForAttachAndMount(podOf('slow')));
  await pass(60_000);
  expect(calls).toHaveLength(2);
  silent.clear();
  await pass(61_000);
  expect([next(), calls.length, events.length]).toEqual(['', 3, 2]);
});

test('blocks only the pod of an unpublish call without a response, for two minutes', async () => {
  for (const name of ['slow', 'quick']) await manager.waitForAttachAndMount(podOf(name));
  silent.add('unpublish');
  const slow = watched(manager.waitForUnmount(podOf('slow')));
  const quick = watched(manager.waitForUnmount(podOf('quick')));
  await pass(1000);
  expect([slow(), quick(), events]).toEqual([undefined, '', []]);
  expect(manager.hasPossiblyMountedVolumes('slow')).toBe(true);
  await pass(119_500);
  const step = 'kubernetes.io/csi: Unmounter.TearDownAt failed';
  expect(log).toEqual([`pod slow: UnmountVolume.TearDown failed for volume "pv-slow" : ${step}: ${EXCEEDED}`]);
  silent.clear();
  await pass(1000);
  expect([slow(), manager.hasPossiblyMountedVolumes('slow')]).toEqual(['', false]);
});
