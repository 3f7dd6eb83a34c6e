import { beforeEach, describe, expect, test } from 'vitest';
import { RpcError } from '#lib/machinery/rpc.ts';
import {
  Container,
  ContainerState,
  ContainerStats,
  PodSandbox,
  PodSandboxState,
  PodSandboxStats,
} from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RuntimeService } from '#lib/node/cri-api/services.ts';
import { FakeRuntimeService } from '../testing/fake-runtime-service.ts';
import { StepClock } from '../testing/step-clock.ts';
import { CRIStatsProvider, type PodStorage } from './cri-stats-provider.ts';
import { liveContainers, liveSandboxes } from './live.ts';

const START = BigInt(Date.parse('2026-01-01T00:00:00Z')) * 1_000_000n;
const SECOND = 1_000_000_000n;
const INFO = { capacity: 1000, available: 400, inodes: 50, inodesFree: 20 };

const clock = new StepClock();
let told: { sandboxes: PodSandboxStats[] | Error; containers: ContainerStats[] };
let images: { mountpoint: string; used: number }[];
let asked: string[];

const aStat = (id: string, used: bigint, seconds = 0n): ContainerStats =>
  ContainerStats.fromPartial({
    attributes: { id, metadata: { name: `name-${id}` } },
    cpu: { timestamp: START + seconds * SECOND, usageCoreNanoSeconds: { value: used } },
    memory: { timestamp: START, workingSetBytes: { value: 70 }, usageBytes: { value: 80 } },
    writableLayer: {
      timestamp: START,
      fsId: { mountpoint: '/images' },
      usedBytes: { value: 5 },
      inodesUsed: { value: 1 },
    },
  });

const sandboxStat = (containers: ContainerStats[]): PodSandboxStats =>
  PodSandboxStats.fromPartial({
    attributes: { id: 's' },
    linux: {
      cpu: { timestamp: START, usageCoreNanoSeconds: { value: 9 }, usageNanoCores: { value: 4 } },
      memory: { timestamp: START, workingSetBytes: { value: 99 } },
      network: {
        timestamp: START,
        defaultInterface: { name: 'eth0', rxBytes: { value: 1 }, txBytes: { value: 2 } },
        interfaces: [{ name: 'eth0' }],
      },
      process: { processCount: { value: 3 } },
      containers,
    },
  });

const sandbox = PodSandbox.fromPartial({
  id: 's',
  metadata: { name: 'p', namespace: 'd', uid: 'u' },
  createdAt: START,
  state: PodSandboxState.SANDBOX_READY,
});
const container = (id: string): Container =>
  Container.fromPartial({
    id,
    podSandboxId: 's',
    metadata: { name: `name-${id}` },
    state: ContainerState.CONTAINER_RUNNING,
    createdAt: START,
  });

const NO_STORAGE: PodStorage = {
  containerLogs: async () => undefined,
  podLogs: async () => undefined,
  etcHosts: async () => undefined,
  volumes: async () => ({ ephemeral: [], persistent: [] }),
};

beforeEach(() => {
  told = { sandboxes: new RpcError('Unimplemented', 'no'), containers: [] };
  images = [{ mountpoint: '/images', used: 7 }];
  asked = [];
});

const provider = (storage: PodStorage = NO_STORAGE): CRIStatsProvider => {
  const fake = new FakeRuntimeService(clock).connect();
  const runtime: RuntimeService = {
    ...fake.runtime,
    listContainers: async () => ({ containers: [container('a'), container('b')] }),
    listPodSandbox: async () => ({ items: [sandbox] }),
    listContainerStats: async () => ({ stats: told.containers }),
    async listPodSandboxStats() {
      if (told.sandboxes instanceof Error) throw told.sandboxes;
      return { stats: told.sandboxes };
    },
  };
  const fsInfo = async (path: string) => {
    asked.push(path);
    return INFO;
  };
  const imageFsInfo = async () => ({
    imageFilesystems: images.map(({ mountpoint, used }) => ({
      timestamp: START,
      fsId: { mountpoint },
      usedBytes: { value: BigInt(used) },
      inodesUsed: undefined,
    })),
    containerFilesystems: [],
  });
  const services = { runtime, images: { ...fake.images, imageFsInfo } };
  return new CRIStatsProvider({ ...services, storage, clock, rootFs: async () => INFO, fsInfo });
};

const time = '2026-01-01T00:00:00Z';
const SIZE = { availableBytes: 400n, capacityBytes: 1000n, inodesFree: 20n, inodes: 50n };

describe('a runtime with sandbox statistics', () => {
  test('provides the statistics of a pod, its network and its processes', async () => {
    told.sandboxes = [sandboxStat([aStat('a', 1n)])];
    expect(await provider().listPodStats()).toEqual([
      {
        podRef: { name: 'p', namespace: 'd', uid: 'u' },
        startTime: time,
        containers: [
          {
            name: 'name-a',
            startTime: time,
            cpu: { time, usageCoreNanoSeconds: 1n },
            memory: { time, workingSetBytes: 70n, usageBytes: 80n },
            rootfs: { time, ...SIZE, usedBytes: 5n, inodesUsed: 1n },
            swap: { time, swapAvailableBytes: 0n, swapUsageBytes: 0n },
          },
        ],
        cpu: { time, usageNanoCores: 4n, usageCoreNanoSeconds: 9n },
        memory: { time, workingSetBytes: 99n },
        network: { time, name: 'eth0', rxBytes: 1n, txBytes: 2n, interfaces: [{ name: 'eth0' }] },
        swap: { time, swapAvailableBytes: 0n, swapUsageBytes: 0n },
        process_stats: { process_count: 3n },
        'ephemeral-storage': { time, ...SIZE, usedBytes: 5n, inodesUsed: 1n },
      },
    ]);
  });

  test('provides only CPU and memory on request, without measuring disks', async () => {
    told.sandboxes = [sandboxStat([aStat('a', 1n)])];
    const [pod] = await provider().listPodCPUAndMemoryStats();
    expect(Object.keys(pod ?? {})).toEqual(['podRef', 'startTime', 'containers', 'cpu', 'memory', 'swap']);
    expect(Object.keys(pod?.containers[0] ?? {})).toEqual(['name', 'startTime', 'cpu', 'memory', 'swap']);
    expect(asked).toEqual([]);
  });

  test('rejects with failures other than Unimplemented or Unknown', async () => {
    told.sandboxes = new RpcError('Unavailable', 'gone');
    await expect(provider().listPodStats()).rejects.toThrow('gone');
  });
});

describe('a runtime with only container statistics', () => {
  test.each(['Unimplemented', 'Unknown'] as const)(
    'sums the statistics of the containers of a pod (%s)',
    async (code) => {
      told = { sandboxes: new RpcError(code, 'no'), containers: [aStat('a', 1n), aStat('b', 2n), aStat('gone', 4n)] };
      const [pod] = await provider().listPodStats();
      expect(pod?.containers.map(({ name }) => name)).toEqual(['name-a', 'name-b']);
      expect(pod?.cpu).toEqual({ time, usageNanoCores: 0n, usageCoreNanoSeconds: 3n });
      expect(pod?.memory).toMatchObject({ workingSetBytes: 140n, usageBytes: 160n });
      expect(pod?.network).toBeUndefined();
      expect(asked).toEqual(['/images']);
    },
  );

  test('provides zeros for a container without statistics', async () => {
    told.containers = [ContainerStats.fromPartial({ attributes: { id: 'a', metadata: { name: 'a' } } })];
    const [pod] = await provider().listPodStats();
    expect(pod?.containers[0]).toMatchObject({
      cpu: { time, usageNanoCores: 0n, usageCoreNanoSeconds: 0n },
      memory: { time, usageBytes: 0n, workingSetBytes: 0n, rssBytes: 0n },
    });
  });
});

test('computes the CPU usage from two samples', async () => {
  const stats = provider();
  const nanoCores = async (used: bigint, seconds: bigint, update = true): Promise<bigint | undefined> => {
    told.containers = [aStat('a', used, seconds)];
    return (await stats.listPodStats({ update }))[0]?.containers[0]?.cpu?.usageNanoCores;
  };
  expect(await nanoCores(0n, 0n)).toBeUndefined();
  expect(await nanoCores(SECOND, 2n)).toBe(SECOND / 2n);
  expect(await nanoCores(5n * SECOND, 3n, false)).toBe(SECOND / 2n);
  expect(await nanoCores(5n * SECOND, 4n)).toBe(2n * SECOND);
  expect(await nanoCores(5n * SECOND, 4n)).toBeUndefined();
  expect(await nanoCores(0n, 5n)).toBeUndefined();
});

test('ephemeral storage is layers, logs, ephemeral volumes and the hosts file', async () => {
  told.containers = [aStat('a', 1n)];
  const use = (usedBytes: bigint, seconds = 0) => ({
    time: `2026-01-01T00:00:0${seconds}Z`,
    usedBytes,
    inodesUsed: 1n,
  });
  const stats = provider({
    containerLogs: async () => use(10n),
    podLogs: async () => use(100n),
    etcHosts: async () => use(1000n, 9),
    volumes: async () => ({
      ephemeral: [{ ...use(10_000n), name: 'v' }],
      persistent: [{ ...use(100_000n), name: 'w' }],
    }),
  });
  const [pod] = await stats.listPodStats();
  expect(pod?.['ephemeral-storage']).toEqual({
    ...SIZE,
    time: '2026-01-01T00:00:09Z',
    usedBytes: 11_115n,
    inodesUsed: 5n,
  });
  expect(pod?.volume?.map(({ name }) => name)).toEqual(['v', 'w']);
  expect(pod?.containers[0]?.logs).toEqual(use(10n));
});

test('finds the size of the image file system by its mount point', async () => {
  expect(await provider().imageFsStats()).toEqual({ time, ...SIZE, usedBytes: 7n });
  images = [];
  await expect(provider().imageFsStats()).rejects.toThrow('imageFs information is unavailable');
});

test("uses a pod's ready sandboxes, or else the newest one", () => {
  const attempt = (id: string, name: string, createdAt: number, ready: boolean): PodSandbox =>
    PodSandbox.fromPartial({
      id,
      metadata: { name, namespace: 'd' },
      createdAt,
      state: ready ? PodSandboxState.SANDBOX_READY : PodSandboxState.SANDBOX_NOTREADY,
    });
  const all = [
    attempt('a2', 'a', 2, false),
    attempt('a1', 'a', 1, true),
    attempt('b2', 'b', 2, false),
    attempt('b1', 'b', 1, false),
    attempt('c1', 'c', 3, false),
  ];
  expect(liveSandboxes(all).map(({ id }) => id)).toEqual(['a1', 'b2', 'c1']);
});

test('ignores exited containers', () => {
  const ended = Container.fromPartial({ id: 'e', state: ContainerState.CONTAINER_EXITED });
  expect(liveContainers([ended, container('a')]).map(({ id }) => id)).toEqual(['a']);
});
