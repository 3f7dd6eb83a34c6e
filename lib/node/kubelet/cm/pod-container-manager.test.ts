import { beforeEach, describe, expect, test } from 'vitest';
import type { EventSubject } from '../events/recorder.ts';
import { StepClock } from '../testing/step-clock.ts';
import type { CgroupManager } from './cgroup/cgroup-manager.ts';
import { type CgroupName, cgroupNameOf, cgroupPath, newCgroupName } from './cgroup/cgroup-name.ts';
import { type ResourceConfig, resourceConfigForAmounts, resourceConfigForPod } from './cgroup/resource-config.ts';
import { createNodeAllocatableCgroups, enforceNodeAllocatable, enforceReserved } from './node-container-manager.ts';
import { PodContainerManager } from './pod-container-manager.ts';
import { QOSContainerManager } from './qos-container-manager.ts';
import { aContainer, aPod } from './testing.ts';

class Cgroups implements CgroupManager {
  readonly version = 1;
  readonly known = new Map<string, ResourceConfig>([['/', {}]]);
  processes: number[] = [];
  refusals = 0;

  async create(name: CgroupName, config: ResourceConfig): Promise<void> {
    this.known.set(this.path(name), config);
  }

  async update(name: CgroupName, config: ResourceConfig): Promise<void> {
    this.refusals -= 1;
    if (this.refusals >= 0) throw new Error('busy');
    this.known.set(this.path(name), { ...this.known.get(this.path(name)), ...config });
  }

  async config(name: CgroupName): Promise<ResourceConfig> {
    return this.known.get(this.path(name)) ?? {};
  }

  async destroy(name: CgroupName): Promise<void> {
    this.known.delete(this.path(name));
  }

  async validate(name: CgroupName): Promise<void> {
    if (!this.known.has(this.path(name))) throw new Error('missing');
  }

  async pids(): Promise<number[]> {
    return this.processes;
  }

  async children(name: CgroupName): Promise<CgroupName[]> {
    const names = [...this.known.keys()].map((path) => this.name(path));
    return names.filter((one) => one.length === name.length + 1 && this.path(one).startsWith(this.path(name)));
  }

  async memoryUsage(): Promise<number> {
    return 0;
  }

  path(name: CgroupName): string {
    return cgroupPath(name, 'cgroupfs');
  }

  name(path: string): CgroupName {
    return cgroupNameOf(path, 'cgroupfs');
  }

  hugePageSizes(): readonly string[] {
    return ['2MB'];
  }
}

let cgroups: Cgroups;
let killed: number[];
let pods: PodContainerManager;
let qos: QOSContainerManager;
const guaranteed = aPod('g', [aContainer('c', { cpu: '1', memory: '1Gi' })]);
const burstable = aPod('b', [{ name: 'c', resources: { requests: { cpu: '500m' } } }]);
const bestEffort = aPod('e', [{ name: 'c', resources: {} }]);

beforeEach(async () => {
  cgroups = new Cgroups();
  killed = [];
  qos = new QOSContainerManager(cgroups, ['kubepods']);
  await cgroups.create(['kubepods'], {});
  pods = new PodContainerManager({
    cgroups,
    qos,
    podPidsLimit: 100,
    enforceCPULimits: true,
    cpuCFSQuotaPeriod: 100_000n,
    hasExclusiveCPUs: (pod) => pod === guaranteed,
    kill: (pid) => {
      if (pid === 13) throw new Error('not permitted');
      killed.push(pid);
    },
  });
});

test.each<[CgroupName, string, string]>([
  [[], '/', '/'],
  [['kubepods'], '/kubepods', '/kubepods.slice'],
  [
    ['kubepods', 'burstable', 'pod1-2'],
    '/kubepods/burstable/pod1-2',
    '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1_2.slice',
  ],
])('converts the cgroup name %j to %s, and to %s for systemd', (name, fs, systemd) => {
  expect([cgroupPath(name, 'cgroupfs'), cgroupPath(name, 'systemd')]).toEqual([fs, systemd]);
  expect(cgroupNameOf(fs, 'cgroupfs')).toEqual(name);
  if (name.length > 0) expect(cgroupNameOf(systemd, 'systemd')).toEqual(name);
});

test('rejects a part with an underscore', () => {
  expect(() => newCgroupName([], 'a_b')).toThrow('invalid character in component ["a_b"] of CgroupName');
});

describe('the cgroup of a pod', () => {
  const settings = { enforceCPULimits: true, cpuCFSQuotaPeriod: 100_000n };

  test('limits a Guaranteed pod', () => {
    const config = { cpuShares: 1024n, cpuQuota: 100_000n, cpuPeriod: 100_000n, memory: 1024n ** 3n };
    expect(resourceConfigForPod(guaranteed, settings)).toEqual({ ...config, hugePageLimits: new Map() });
    expect(resourceConfigForPod(guaranteed, { ...settings, enforceCPULimits: false }).cpuQuota).toBe(-1n);
  });

  test('limits a Burstable pod by resources that all its containers limit', () => {
    expect(resourceConfigForPod(burstable, settings)).toEqual({ cpuShares: 512n, hugePageLimits: new Map() });
    const limited = aPod('l', [
      { name: 'a', resources: { limits: { memory: '1Ki', cpu: '1' }, requests: { memory: '1', cpu: '0' } } },
      {
        name: 'b',
        resources: { limits: { memory: '1Ki', 'hugepages-2Mi': '4Mi' }, requests: { 'hugepages-2Mi': '4Mi' } },
      },
    ]);
    const hugePageLimits = new Map([['2MB', 4n * 1024n ** 2n]]);
    expect(resourceConfigForPod(limited, settings)).toEqual({ cpuShares: 2n, memory: 2048n, hugePageLimits });
    limited.spec.resources = { limits: { cpu: '2' } };
    expect(resourceConfigForPod(limited, settings).cpuQuota).toBe(200_000n);
  });

  test('sets minimum shares for a BestEffort pod', () => {
    expect(resourceConfigForPod(bestEffort, settings)).toEqual({ cpuShares: 2n, hugePageLimits: new Map() });
  });

  test('creates the cgroup once below its QoS class, without a quota for exclusive CPUs', async () => {
    expect([guaranteed, burstable, bestEffort].map((pod) => pods.podContainerName(pod).path)).toEqual([
      '/kubepods/podg',
      '/kubepods/burstable/podb',
      '/kubepods/besteffort/pode',
    ]);
    await pods.ensureExists(guaranteed);
    await pods.ensureExists(guaranteed);
    expect(cgroups.known.get('/kubepods/podg')).toMatchObject({ cpuQuota: -1n, pidsLimit: 100n });
  });

  test('identifies a pod by its cgroup path', async () => {
    await qos.start();
    expect(pods.isPodCgroup('/kubepods/burstable/podb')).toBe('b');
    expect(pods.isPodCgroup('/kubepods/burstable')).toBeUndefined();
    expect(pods.isPodCgroup('/system')).toBeUndefined();
    await pods.ensureExists(burstable);
    expect([...(await pods.allPodsFromCgroups())]).toEqual([['b', ['kubepods', 'burstable', 'podb']]]);
  });

  test('removes the cgroup of a deleted pod after its volumes are unmounted', async () => {
    await pods.ensureExists(guaranteed);
    await pods.ensureExists(bestEffort);
    cgroups.processes = [7];
    const faults: unknown[] = [];
    await pods.cleanupOrphans(
      new Set(['e']),
      () => true,
      (error) => faults.push(error),
    );
    expect(cgroups.known.get('/kubepods/podg')?.cpuShares).toBe(2n);
    await pods.cleanupOrphans(
      new Set(['e']),
      () => false,
      (error) => faults.push(error),
    );
    expect(cgroups.known.has('/kubepods/podg')).toBe(false);
    expect([killed, faults]).toEqual([[7], []]);
    cgroups.processes = [13];
    await expect(pods.destroy(['kubepods', 'x'])).rejects.toThrow(
      'failed to kill all the processes attached to the [kubepods x] cgroups : not permitted',
    );
  });
});

test('sets the shares of QoS classes from the requests of their pods', async () => {
  await qos.start();
  expect(cgroups.known.get('/kubepods/besteffort')?.cpuShares).toBe(2n);
  await qos.updateCgroups([burstable, burstable, guaranteed]);
  expect(cgroups.known.get('/kubepods/burstable')?.cpuShares).toBe(1024n);
  expect(cgroups.known.get('/kubepods/burstable')?.hugePageLimits?.get('2MB')).toBe(1n << 62n);
  const nowhere = new QOSContainerManager(cgroups, ['nowhere']);
  await expect(nowhere.start()).rejects.toThrow('error validating root container [nowhere] : missing');
});

describe('node allocatable cgroups', () => {
  const told: string[] = [];
  const node: EventSubject = { kind: 'Node', metadata: { name: 'n' } };
  const recorder = {
    event: (_about: EventSubject, type: string, reason: string, message: string) =>
      void told.push(`${type} ${reason} ${message}`),
  };
  const amounts = new Map([
    ['cpu', '2'],
    ['memory', '1Ki'],
    ['pid', '50'],
  ]);

  test('retries until the kernel accepts the limit', async () => {
    const clock = new StepClock();
    const config = { cgroups, root: ['all'], amounts, recorder, node, clock };
    await createNodeAllocatableCgroups(config);
    await createNodeAllocatableCgroups(config);
    expect(cgroups.known.get('/all')).toEqual(resourceConfigForAmounts(amounts, false));
    expect(cgroups.known.get('/all')).toMatchObject({ cpuShares: 2048n, memory: 1024n, pidsLimit: 50n });
    cgroups.refusals = 1;
    await enforceNodeAllocatable(config, new AbortController().signal);
    expect(clock.sleeps).toEqual([60_000]);
    expect(told.splice(0)).toEqual([
      'Warning FailedNodeAllocatableEnforcement Failed to update Node Allocatable Limits ["all"]: busy',
      'Normal NodeAllocatableEnforced Updated Node Allocatable limit across pods',
    ]);
  });

  test("limits the system's own cgroup, which must exist", async () => {
    const reserved = { kind: 'system', cgroup: '/system', reserved: amounts, compressibleOnly: true } as const;
    const message = 'Failed to enforce System Reserved Compressible Cgroup Limits on "/system": missing';
    await expect(enforceReserved({ cgroups, recorder, node }, reserved)).rejects.toThrow(message);
    await cgroups.create(['system'], {});
    await enforceReserved({ cgroups, recorder, node }, reserved);
    expect(cgroups.known.get('/system')).toEqual({ cpuShares: 2048n });
    expect(told).toEqual([
      `Warning FailedNodeAllocatableEnforcement ${message}`,
      'Normal NodeAllocatableEnforced Updated limits on system reserved cgroup /system',
    ]);
  });
});
