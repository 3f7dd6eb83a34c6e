import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { containerOf, podOf } from '../testing/decoded-pod.ts';
import { someSettings } from '../testing/runtime-config.ts';
import type { ConfigSettings } from './config-settings.ts';
import { containerLinuxResources, overheadResources, sandboxResources } from './linux-resources.ts';

const resourcesOf = (resources: JsonObject, settings: Partial<ConfigSettings> = {}, spec: JsonObject = {}) => {
  const pod = podOf({ containers: [{ name: 'c', resources }], ...spec });
  return containerLinuxResources(pod, containerOf(pod), someSettings(settings));
};

describe('CPU and memory settings', () => {
  test.each([
    [{ requests: { cpu: '1' }, limits: { cpu: '2', memory: '128Mi' } }, [1024n, 200_000n, 134_217_728n]],
    [{ requests: { cpu: '2' }, limits: { cpu: '8' } }, [2048n, 800_000n, 0n]],
    [{ limits: { cpu: '2' } }, [2048n, 200_000n, 0n]],
    [{ requests: { cpu: '0' }, limits: { cpu: '2' } }, [2n, 200_000n, 0n]],
    [{ requests: { cpu: '1m' }, limits: { cpu: '1m' } }, [2n, 1000n, 0n]],
    [{ requests: { cpu: '5m' }, limits: { cpu: '9m' } }, [5n, 1000n, 0n]],
    [{ requests: { cpu: '1000' } }, [262_144n, 0n, 0n]],
    [{}, [2n, 0n, 0n]],
  ])('computes CPU and memory settings for %j', (resources, [cpuShares, cpuQuota, memoryLimitInBytes]) => {
    expect(resourcesOf(resources)).toMatchObject({ cpuPeriod: 100_000n, cpuShares, cpuQuota, memoryLimitInBytes });
  });

  const limits = { limits: { cpu: '2' } };

  test('sets no quota and no period if limits are not enforced', () => {
    expect(resourcesOf(limits, { cpuCFSQuota: false })).toMatchObject({
      cpuPeriod: 0n,
      cpuQuota: 0n,
      cpuShares: 2048n,
    });
  });

  test('computes the quota from the period', () => {
    expect(resourcesOf(limits, { cpuCFSQuotaPeriod: 5000 })).toMatchObject({ cpuPeriod: 5000n, cpuQuota: 10_000n });
  });

  test('sets no quota for a container with exclusive CPUs', () => {
    expect(resourcesOf(limits, { hasExclusiveCPUs: () => true }).cpuQuota).toBe(-1n);
  });

  test("uses the pod's limits for a container without limits", () => {
    const spec = { resources: { limits: { cpu: '1', memory: '1Gi' } } };
    const own = { limits: { memory: '1Mi' } };
    expect(resourcesOf(own, {}, spec)).toMatchObject({ cpuQuota: 100_000n, memoryLimitInBytes: 1_048_576n });
  });
});

test.each([
  [{ cgroupV2: false, singleProcessOOMKill: false }, {}],
  [{ cgroupV2: true, singleProcessOOMKill: true }, {}],
  [{ cgroupV2: true, singleProcessOOMKill: false }, { 'memory.oom.group': '1' }],
])('sets with %j the unified settings %j', (settings, unified) => {
  expect(resourcesOf({}, settings).unified).toEqual(unified);
});

describe('huge page settings', () => {
  const hugePageSizes = ['2MB', '1GB'];
  test.each<[string, JsonObject, JsonObject, bigint[]]>([
    ['none without a limit', {}, {}, [0n, 0n]],
    ['each size by itself', { 'hugepages-2Mi': '4Mi', 'hugepages-1Gi': '2Gi' }, {}, [4_194_304n, 2_147_483_648n]],
    ['none for sizes that the kernel does not support', { 'hugepages-64Ki': '64Ki' }, {}, [0n, 0n]],
    ['a size in another notation', { 'hugepages-2048Ki': '2Mi' }, {}, [2_097_152n, 0n]],
    [
      "the pod's limits, overridden by the container's",
      { 'hugepages-2Mi': '2Mi' },
      { 'hugepages-2Mi': '8Mi', 'hugepages-1Gi': '1Gi' },
      [2_097_152n, 1_073_741_824n],
    ],
  ])('sets huge page limits: %s', (_, limits, pod, expected) => {
    const spec = Object.keys(pod).length === 0 ? {} : { resources: { limits: pod } };
    const { hugepageLimits } = resourcesOf({ limits }, { hugePageSizes }, spec);
    expect(hugepageLimits).toEqual(hugePageSizes.map((pageSize, i) => ({ pageSize, limit: expected[i] })));
  });
});

describe('the swap limit', () => {
  const burstable = { requests: { memory: '2G' }, limits: { memory: '4G' } };
  const on = { swapControllerAvailable: true, swapCapacity: 1_000_000_000 };
  test.each<[string, Partial<ConfigSettings>, JsonObject, JsonObject, object]>([
    ['none if the kernel does not account for swap', {}, burstable, {}, { unified: {}, memorySwapLimitInBytes: 0n }],
    ['none with version 1 cgroups', on, burstable, {}, { unified: {}, memorySwapLimitInBytes: 4_000_000_000n }],
    ['none by default', { ...on, cgroupV2: true }, burstable, {}, { unified: { 'memory.swap.max': '0' } }],
    [
      'a share of the swap',
      { ...on, cgroupV2: true, memorySwapBehavior: 'LimitedSwap' },
      burstable,
      {},
      { unified: { 'memory.swap.max': '250000000' } },
    ],
    [
      'none without a request',
      { ...on, cgroupV2: true, memorySwapBehavior: 'LimitedSwap' },
      { requests: { cpu: '1' } },
      {},
      { unified: { 'memory.swap.max': '0' } },
    ],
    [
      'none if the limit equals the request',
      { ...on, cgroupV2: true, memorySwapBehavior: 'LimitedSwap' },
      { requests: { memory: '2G' }, limits: { memory: '2G' } },
      {},
      { unified: { 'memory.swap.max': '0' } },
    ],
    [
      'none for critical pods',
      { ...on, cgroupV2: true, memorySwapBehavior: 'LimitedSwap' },
      burstable,
      { priority: 2e9 },
      { unified: { 'memory.swap.max': '0' } },
    ],
    [
      'none with version 1 cgroups for any setting',
      { ...on, memorySwapBehavior: 'LimitedSwap' },
      burstable,
      {},
      { memorySwapLimitInBytes: 4_000_000_000n },
    ],
  ])('sets the swap limit: %s', (_, settings, resources, spec, expected) => {
    expect(resourcesOf(resources, settings, spec)).toMatchObject(expected);
  });
});

describe('resources of a sandbox', () => {
  const resources = { requests: { memory: '128Mi', cpu: '2' }, limits: { memory: '256Mi', cpu: '4' } };
  const pod = podOf({ containers: [{ name: 'c', resources }], overhead: { memory: '128Mi', cpu: '1' } });

  test("sums the resources of a sandbox's containers", () => {
    expect(sandboxResources(pod, someSettings())).toMatchObject({
      memoryLimitInBytes: 268_435_456n,
      cpuPeriod: 100_000n,
      cpuQuota: 400_000n,
      cpuShares: 2048n,
    });
  });

  test('sets the overhead of a sandbox separately', () => {
    expect(overheadResources(pod, someSettings())).toMatchObject({
      memoryLimitInBytes: 134_217_728n,
      cpuPeriod: 100_000n,
      cpuQuota: 100_000n,
      cpuShares: 1024n,
    });
  });

  test('sets no overhead for a pod without one', () => {
    expect(overheadResources(podOf({}), someSettings())).toMatchObject({ cpuPeriod: 0n, cpuShares: 0n });
  });

  test('sets minimum shares without a CPU request', () => {
    const small = podOf({ containers: [{ name: 'c', resources: { limits: { memory: '256Mi' } } }] });
    expect(sandboxResources(small, someSettings())).toMatchObject({
      memoryLimitInBytes: 268_435_456n,
      cpuQuota: 0n,
      cpuShares: 2n,
    });
  });
});
