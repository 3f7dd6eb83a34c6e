import { beforeEach, expect, test } from 'vitest';
import { expose } from '#lib/machinery/metrics/text.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { MachineStats } from './machine-stats.ts';
import { ResourceMetrics } from './resource-metrics.ts';
import type { PodStats } from './summary.ts';
import { SummaryProvider } from './summary-provider.ts';

const time = '2026-01-01T00:00:00Z';
const FS = { time, capacityBytes: 9n };
const POD: PodStats = {
  podRef: { name: 'p', namespace: 'd', uid: 'u' },
  startTime: time,
  cpu: { time, usageCoreNanoSeconds: 2_500_000_000n },
  memory: { time, workingSetBytes: 70n },
  containers: [
    {
      name: 'app',
      startTime: time,
      cpu: { time, usageCoreNanoSeconds: 1_500_000_000n },
      memory: { time, workingSetBytes: 60n },
      swap: { time, swapAvailableBytes: 5n, swapUsageBytes: 3n },
    },
  ],
};

let clock: ManualClock;
let cpu: bigint;
let faults: string[];

beforeEach(() => {
  clock = new ManualClock(Date.parse(time));
  cpu = 1_000_000_000n;
  faults = [];
});

const machine: MachineStats = {
  async cgroupUsage(path) {
    if (path === '/gone') throw new Error('no such cgroup');
    const limit = path === '/' ? 1000n : 150n;
    return { cpu, memory: { usage: 200n, workingSet: 160n, rss: 100n, pageFaults: 1n, majorPageFaults: 0n, limit } };
  },
  swap: async () => undefined,
  networkInterfaces: async () => [{ name: 'eth0', rxBytes: 1n }, { name: 'eth1' }],
  rlimit: async () => ({ maxpid: 100n, curproc: 40n }),
  bootTime: async () => Date.parse('2025-12-31T00:00:00Z'),
};

const provider = (): SummaryProvider =>
  new SummaryProvider({
    node: 'n1',
    clock,
    machine,
    pods: {
      listPodStats: async () => [POD],
      listPodCPUAndMemoryStats: async () => [POD],
      imageFsStats: async () => FS,
    },
    rootFs: async () => ({ capacity: 100, available: 30, used: 60, inodes: 10, inodesFree: 4 }),
    systemContainers: { pods: '/kubepods', runtime: '/gone' },
    onFault: (error) => void faults.push(String(error)),
  });

const memory = { time, usageBytes: 200n, workingSetBytes: 160n, rssBytes: 100n, pageFaults: 1n, majorPageFaults: 0n };

test('includes the machine, the cgroup of pods and the pods', async () => {
  expect(await provider().summary()).toEqual({
    node: {
      nodeName: 'n1',
      startTime: '2025-12-31T00:00:00Z',
      cpu: { time, usageNanoCores: 0n, usageCoreNanoSeconds: 1_000_000_000n },
      memory: { ...memory, availableBytes: 840n },
      network: { time, name: 'eth0', rxBytes: 1n, interfaces: [{ name: 'eth0', rxBytes: 1n }, { name: 'eth1' }] },
      fs: {
        time,
        capacityBytes: 100n,
        availableBytes: 30n,
        usedBytes: 60n,
        inodes: 10n,
        inodesFree: 4n,
        inodesUsed: 6n,
      },
      runtime: { imageFs: FS, containerFs: FS },
      rlimit: { time, maxpid: 100n, curproc: 40n },
      systemContainers: [
        {
          name: 'pods',
          startTime: time,
          cpu: { time, usageNanoCores: 0n, usageCoreNanoSeconds: 1_000_000_000n },
          memory: { ...memory, availableBytes: 0n },
        },
      ],
    },
    pods: [POD],
  });
  expect(faults).toEqual(['Error: no such cgroup']);
});

test('computes the CPU usage between two updates', async () => {
  const stats = provider();
  const nanoCores = async (update: boolean) => (await stats.summary({ update })).node.cpu?.usageNanoCores;
  await nanoCores(true);
  clock.advance(2000);
  cpu += 1_000_000_000n;
  expect(await nanoCores(false)).toBe(0n);
  expect(await nanoCores(true)).toBe(500_000_000n);
  expect(await nanoCores(false)).toBe(500_000_000n);
});

test('omits disks from the CPU and memory summary', async () => {
  const { node } = await provider().cpuAndMemory();
  expect(Object.keys(node)).toEqual(['nodeName', 'systemContainers', 'startTime', 'cpu', 'memory']);
});

test('exposes resource metrics with upstream’s names', async () => {
  const stats = provider();
  const metrics = new ResourceMetrics({ cpuAndMemory: () => stats.cpuAndMemory(), onFault: () => undefined });
  const text = await expose([metrics]);
  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
    'container_cpu_usage_seconds_total{container="app",pod="p",namespace="d"} 1.5',
    'container_memory_working_set_bytes{container="app",pod="p",namespace="d"} 60',
    'container_start_time_seconds{container="app",pod="p",namespace="d"} 1767225600',
    'container_swap_limit_bytes{container="app",pod="p",namespace="d"} 8',
    'container_swap_usage_bytes{container="app",pod="p",namespace="d"} 3',
    'node_cpu_usage_seconds_total 1',
    'node_memory_working_set_bytes 160',
    'pod_cpu_usage_seconds_total{pod="p",namespace="d"} 2.5',
    'pod_memory_working_set_bytes{pod="p",namespace="d"} 70',
    'resource_scrape_error 0',
    'scrape_error 0',
  ]);
});

test('reports an error for a scrape without a summary', async () => {
  const failing = new ResourceMetrics({
    cpuAndMemory: () => Promise.reject(new Error('no runtime')),
    onFault: (error) => void faults.push(String(error)),
  });
  expect(await expose([failing])).toContain('\nresource_scrape_error 1\n');
  expect(faults).toEqual(['Error: no runtime']);
});
