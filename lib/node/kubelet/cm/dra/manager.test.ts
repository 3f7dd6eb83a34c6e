import { beforeEach, describe, expect, test } from 'vitest';
import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import type { ResourceClaim } from '#lib/api/types/resource.v1.ts';
import type { DRAClient } from '#lib/node/kubelet-api/services.ts';
import { MemoryCheckpoints } from '../../checkpointmanager/testing.ts';
import { StepClock } from '../../testing/step-clock.ts';
import { aPod, SomePods } from '../testing.ts';
import { withClaimHealth } from './allocated-resources-status.ts';
import { decodeClaims, encodeClaims } from './checkpoint.ts';
import { DeviceHealths } from './health.ts';
import { DRAManager } from './manager.ts';
import { SliceWiper } from './resource-slices.ts';

const DRIVER = 'drv.example.com';
const container = (claims: { name: string; request?: string }[]): Container => ({ name: 'c', resources: { claims } });

const podWith = (name: string): Pod => {
  const pod = aPod(name, [container([{ name: 'gpu' }])]);
  pod.spec.resourceClaims = [{ name: 'gpu', resourceClaimName: 'claim' }];
  return pod;
};

const claimOf = (...pods: string[]): ResourceClaim => ({
  metadata: { name: 'claim', namespace: 'default', uid: 'claim-uid' },
  spec: { devices: { requests: [] } },
  status: {
    allocation: { devices: { results: [{ request: 'r', driver: DRIVER, pool: 'pool', device: 'dev' }] } },
    reservedFor: pods.map((uid) => ({ resource: 'pods', name: uid, uid })),
  },
});

let checkpoints: MemoryCheckpoints;
let pods: SomePods;
let calls: string[];
let claim: ResourceClaim;
let registered: boolean;
let answer: Awaited<ReturnType<DRAClient['nodePrepareResources']>>;

beforeEach(() => {
  checkpoints = new MemoryCheckpoints();
  pods = new SomePods();
  calls = [];
  claim = claimOf('a', 'b');
  registered = true;
  const device = {
    requestNames: ['r'],
    poolName: 'pool',
    deviceName: 'dev',
    cdiDeviceIds: ['v.com/c=d'],
    shareId: 's',
  };
  answer = { claims: { 'claim-uid': { devices: [device], error: '' } } };
});

const client: DRAClient = {
  nodePrepareResources: async (request) => {
    calls.push(`prepare ${request.claims?.map(({ name }) => name)}`);
    return answer;
  },
  nodeUnprepareResources: async (request) => {
    calls.push(`unprepare ${request.claims?.map(({ name }) => name)}`);
    return { claims: { 'claim-uid': { error: '' } } };
  },
};

async function managerOf(): Promise<DRAManager> {
  const manager = new DRAManager({
    checkpoints,
    plugins: {
      get: (driverName) =>
        registered ? { driverName, endpoint: '/run/drv.sock', chosenService: 'v1.DRAPlugin' } : undefined,
    },
    clients: { client: () => client },
    pods,
    resourceClaim: async () => claim,
    onFault: (error) => calls.push(String(error)),
  });
  await manager.start();
  return manager;
}

describe('claims of pods', () => {
  test('prepares claims once and releases them with their last pod', async () => {
    const manager = await managerOf();
    await manager.prepareResources(podWith('a'));
    await manager.prepareResources(podWith('b'));
    expect(manager.cdiDevices(podWith('a'), container([{ name: 'gpu' }]))).toEqual(['v.com/c=d']);
    expect(manager.cdiDevices(podWith('a'), container([{ name: 'gpu', request: 'r' }]))).toEqual(['v.com/c=d']);
    expect(manager.cdiDevices(podWith('a'), container([{ name: 'gpu', request: 'other' }]))).toEqual([]);
    expect(manager.cdiDevices(podWith('a'), container([]))).toEqual([]);
    await manager.unprepareResources(podWith('a'));
    expect(manager.podMightNeedToUnprepareResources('a')).toBe(false);
    await manager.unprepareResources(podWith('b'));
    await manager.unprepareResources(podWith('b'));
    expect(calls).toEqual(['prepare claim', 'unprepare claim']);
    expect(manager.claimInfo('default', 'claim')).toBeUndefined();
  });

  test('prepares claims again after a restart, without a second device', async () => {
    await (await managerOf()).prepareResources(podWith('a'));
    const again = await managerOf();
    expect(again.podMightNeedToUnprepareResources('a')).toBe(true);
    await again.prepareResources(podWith('a'));
    expect(again.cdiDevices(podWith('a'), container([{ name: 'gpu' }]))).toEqual(['v.com/c=d']);
    expect(calls).toEqual(['prepare claim', 'prepare claim']);
  });

  test('returns the devices for extended resources of a container', async () => {
    const pod = aPod('a', []);
    const gpus: Container = { name: 'c', resources: { requests: { 'example.com/gpu': '1' } } };
    pod.status.extendedResourceClaimStatus = {
      resourceClaimName: 'claim',
      requestMappings: [{ containerName: 'c', resourceName: 'example.com/gpu', requestName: 'r' }],
    };
    const manager = await managerOf();
    await manager.prepareResources(pod);
    expect(manager.cdiDevices(pod, gpus)).toEqual(['v.com/c=d']);
    expect(manager.cdiDevices(pod, { ...gpus, name: 'other' })).toEqual([]);
  });

  test('releases the claims of a deleted pod once the pods are known', async () => {
    const manager = await managerOf();
    await manager.prepareResources(podWith('a'));
    pods.ready = false;
    await manager.reconcile();
    pods.ready = true;
    pods.pods = [podWith('a')];
    await manager.reconcile();
    pods.pods = [];
    registered = false;
    await manager.reconcile();
    registered = true;
    await manager.reconcile();
    expect(calls).toEqual(['prepare claim', `Error: DRA driver ${DRIVER} is not registered`, 'unprepare claim']);
  });
});

describe('errors of claims', () => {
  const refused = async (): Promise<unknown> =>
    (await managerOf()).prepareResources(podWith('a')).catch((error: unknown) => String(error));

  test('reports a missing driver and leaves nothing to release', async () => {
    registered = false;
    expect(await refused()).toBe(`Error: prepare dynamic resources: DRA driver ${DRIVER} is not registered`);
    expect((await managerOf()).podMightNeedToUnprepareResources('a')).toBe(false);
  });

  test('reports a claim that is not reserved for the pod', async () => {
    claim = claimOf('b');
    const message = 'pod a (a) is not allowed to use ResourceClaim claim (claim-uid)';
    expect(await refused()).toBe(`Error: prepare dynamic resources: ${message}`);
  });

  test('reports a claim that is not allocated', async () => {
    claim = { ...claimOf('a'), status: { reservedFor: [{ resource: 'pods', name: 'a', uid: 'a' }] } };
    expect(await refused()).toBe('Error: prepare dynamic resources: ResourceClaim claim: not allocated');
  });

  test('reports a driver that failed, returned another claim, or skipped one', async () => {
    const prefix = 'Error: prepare dynamic resources: NodePrepareResources';
    answer = { claims: { 'claim-uid': { devices: [], error: 'no power' } } };
    expect(await refused()).toBe(`${prefix} failed for ResourceClaim claim: no power`);
    answer = { claims: { strange: { devices: [], error: '' } } };
    expect(await refused()).toBe(`${prefix} returned result for unknown claim UID strange`);
    answer = { claims: {} };
    expect(await refused()).toBe(`${prefix} skipped 1 ResourceClaims`);
  });

  test("reports a template's claim that is missing or belongs to another pod", async () => {
    const pod = podWith('a');
    pod.spec.resourceClaims = [{ name: 'gpu', resourceClaimTemplateName: 't' }];
    const manager = await managerOf();
    await expect(manager.prepareResources(pod)).rejects.toThrow('pod "default/a": ResourceClaim not created yet');
    pod.status.resourceClaimStatuses = [{ name: 'gpu', resourceClaimName: 'claim' }];
    await expect(manager.prepareResources(pod)).rejects.toThrow(
      'ResourceClaim default/claim was not created for pod default/a (pod is not owner)',
    );
    pod.status.resourceClaimStatuses = [{ name: 'gpu' }];
    await manager.prepareResources(pod);
    expect(calls).toEqual([]);
  });

  test('reports an older claim with the same name', async () => {
    const manager = await managerOf();
    await manager.prepareResources(podWith('b'));
    claim = { ...claim, metadata: { ...claim.metadata, uid: 'new' } };
    await expect(manager.prepareResources(podWith('a'))).rejects.toThrow(
      'old ResourceClaim with same name claim and different UID claim-uid still exists (previous pod force-deleted?!)',
    );
  });
});

// Upstream's MarshalCheckpoint wrote this text.
test('encodes and decodes checkpoints like upstream', () => {
  const text = String.raw`{"Data":"{\"kind\":\"DRACheckpoint\",\"apiVersion\":\"checkpoint.dra.kubelet.k8s.io/v1\",\"ClaimInfoStateList\":[{\"ClaimUID\":\"claim-uid\",\"ClaimName\":\"claim\",\"Namespace\":\"ns\",\"PodUIDs\":{\"pod-a\":{},\"pod-b\":{}},\"DriverState\":{\"drv.example\":{\"Devices\":[{\"PoolName\":\"pool\",\"DeviceName\":\"dev\",\"ShareID\":\"share-1\",\"RequestNames\":[\"r\"],\"CDIDeviceIDs\":[\"v.com/c=d\"]},{\"PoolName\":\"pool\",\"DeviceName\":\"dev2\",\"ShareID\":null,\"RequestNames\":null,\"CDIDeviceIDs\":null}]},\"empty.example\":{\"Devices\":null}}}]}","Checksum":2547804711}`;
  expect(encodeClaims(decodeClaims(Buffer.from(text)))).toBe(text);
  expect(() => decodeClaims(Buffer.from(text.replace('2547804711', '1')))).toThrow('checkpoint is corrupted');
});

describe('the health of devices', () => {
  const report = (health: 0 | 1 | 2, message = '') => ({
    devices: [
      {
        device: { poolName: 'pool', deviceName: 'dev' },
        health,
        lastUpdatedTime: 0,
        healthCheckTimeoutSeconds: 0,
        message,
      },
    ],
  });

  test('returns unknown health before the first report and after its time-out', () => {
    let now = 0;
    const healths = new DeviceHealths({ monotonic: () => now });
    expect(healths.get(DRIVER, 'pool', 'dev').health).toBe('Unknown');
    expect(healths.update(DRIVER, report(1))).toHaveLength(1);
    expect(healths.update(DRIVER, report(1))).toEqual([]);
    expect(healths.get(DRIVER, 'pool', 'dev').health).toBe('Healthy');
    now = 30_001;
    expect(healths.get(DRIVER, 'pool', 'dev').health).toBe('Unknown');
    expect(healths.update(DRIVER, { devices: [] })).toHaveLength(1);
    healths.clear(DRIVER);
    expect(healths.update(DRIVER, report(2, 'x'.repeat(2000)))).toHaveLength(1);
    expect(healths.get(DRIVER, 'pool', 'dev').message).toBe(`${'x'.repeat(1021)}...`);
  });

  test('adds device health to the status of the container', async () => {
    const manager = await managerOf();
    const pod = podWith('a');
    await manager.prepareResources(pod);
    const healths = new DeviceHealths({ monotonic: () => 0 });
    healths.update(DRIVER, report(2, 'hot'));
    const state = { state: {}, lastState: {}, ready: true, restartCount: 0, image: '', imageID: '' };
    const status = { containerStatuses: [{ name: 'c', ...state }] };
    const sources = { healths, claimInfo: manager.claimInfo.bind(manager) };
    const shown = withClaimHealth(pod, status, sources).containerStatuses?.[0]?.allocatedResourcesStatus;
    expect(shown).toEqual([
      { name: 'claim:gpu', resources: [{ resourceID: 'v.com/c=d', health: 'Unhealthy', message: 'hot' }] },
    ]);
    expect(manager.podsWithDevice(DRIVER, 'pool', 'dev')).toEqual(['a']);
  });
});

describe('ResourceSlices of a driver', () => {
  const signal = new AbortController().signal;

  test('deletes the slices of a driver 30 s after its plugin is removed, with retries', async () => {
    const deleted: (string | undefined)[] = [];
    let failures = 1;
    const clock = new StepClock();
    const wiper = new SliceWiper({
      clock,
      isUsable: () => false,
      deleteResourceSlices: async (driver) => {
        deleted.push(driver);
        failures -= 1;
        if (failures >= 0) throw new Error('refused');
      },
      onFault: () => undefined,
    });
    await wiper.changed(DRIVER, signal);
    expect(deleted).toEqual([DRIVER, DRIVER]);
    expect(clock.sleeps).toEqual([30_000, 1000]);
    await wiper.start(signal);
    expect(deleted.at(-1)).toBeUndefined();
  });

  test('keeps the slices of a driver that registers again in time', async () => {
    const deleted: (string | undefined)[] = [];
    let usable = false;
    const clock = new StepClock(async () => {
      usable = true;
      await wiper.changed(DRIVER, signal);
    });
    const wiper = new SliceWiper({
      clock,
      isUsable: () => usable,
      deleteResourceSlices: async (driver) => void deleted.push(driver),
      onFault: () => undefined,
    });
    await wiper.changed(DRIVER, signal);
    expect(deleted).toEqual([]);
  });
});
