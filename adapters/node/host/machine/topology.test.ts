import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HostTopology } from './topology.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'topology-'));
});
afterEach(() => rm(root, { recursive: true }));

async function files(texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), `${text}\n`);
  }
}

const cpu = (id: number, core: number, socket: number): Record<string, string> => ({
  [`sys/devices/system/cpu/cpu${id}/topology/core_id`]: String(core),
  [`sys/devices/system/cpu/cpu${id}/topology/physical_package_id`]: String(socket),
});

test('reads cores, caches, memory and distances of NUMA nodes', async () => {
  const node = (id: number): string => `sys/devices/system/node/node${id}`;
  await files({
    'sys/devices/system/cpu/online': '0-3',
    ...cpu(0, 0, 0),
    ...cpu(1, 0, 1),
    ...cpu(2, 0, 0),
    ...cpu(3, 0, 1),
    'sys/devices/system/cpu/cpu1/cache/index3/level': '3',
    'sys/devices/system/cpu/cpu1/cache/index3/id': '5',
    'sys/devices/system/cpu/cpu1/cache/index0/level': '1',
    [`${node(0)}/cpulist`]: '0,2',
    [`${node(1)}/cpulist`]: '1,3',
    [`${node(0)}/meminfo`]: 'Node 0 MemTotal:       4 kB\nNode 0 MemFree:       2 kB',
    [`${node(1)}/meminfo`]: 'Node 1 MemTotal:       8 kB',
    [`${node(0)}/distance`]: '10 21',
    [`${node(0)}/hugepages/hugepages-2048kB/nr_hugepages`]: '7',
  });
  expect(await new HostTopology(root).machineTopology()).toEqual({
    numCPUs: 4,
    numSockets: 2,
    nodes: [
      {
        id: 0,
        memory: 4096,
        hugePages: [{ pageSize: 2048, numPages: 7 }],
        distances: [10, 21],
        cores: [{ id: 0, threads: [0, 2], socketID: 0 }],
      },
      {
        id: 1,
        memory: 8192,
        hugePages: [],
        distances: undefined,
        cores: [{ id: 0, threads: [1, 3], socketID: 1, uncoreCacheID: 5 }],
      },
    ],
  });
});

test('treats a machine without NUMA as one node', async () => {
  await files({ 'sys/devices/system/cpu/online': '0-1', 'proc/meminfo': 'MemTotal:       16 kB' });
  const { nodes } = await new HostTopology(root).machineTopology();
  expect(nodes).toEqual([
    {
      id: 0,
      memory: 16_384,
      hugePages: [],
      distances: undefined,
      cores: [
        { id: 0, threads: [0], socketID: 0 },
        { id: 1, threads: [1], socketID: 0 },
      ],
    },
  ]);
});

test('reads the machine that runs the test', async () => {
  const { numCPUs, nodes } = await new HostTopology().machineTopology();
  expect(nodes.flatMap(({ cores }) => cores.flatMap(({ threads }) => threads))).toHaveLength(numCPUs);
});
