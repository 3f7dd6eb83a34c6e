import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CgroupMounts } from '../cgroup/cgroup.ts';
import { diskLayoutOf, fsInfoAt, HostMachineStats } from './machine-stats.ts';

const PROC: Readonly<Record<string, string>> = {
  meminfo: 'MemTotal:  4000 kB\nMemFree:  1000 kB\nSwapTotal: 200 kB\nSwapFree: 150 kB\n',
  loadavg: '1.36 3.49 4.53 2/3518 3715089\n',
  'sys/kernel/pid_max': '4194304\n',
  'sys/kernel/threads-max': '31000\n',
  stat: 'cpu  1 2\nbtime 1767225600\n',
  'net/dev': [
    'Inter-|   Receive                                                |  Transmit',
    ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs',
    '    lo: 9 9 9 0 0 0 0 0 9 9 9 0 0 0 0 0',
    '  eth0:100 2 3 0 0 0 0 0 200 5 6 0 0 0 0 0',
    ' veth1: 9 9 9 0 0 0 0 0 9 9 9 0 0 0 0 0',
  ].join('\n'),
};
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'machine-stats-'));
  for (const [path, text] of Object.entries(PROC)) await write(`proc/${path}`, text);
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const stats = (version: 1 | 2, controllers: readonly string[]): HostMachineStats => {
  const folder = (controller: string): string => join(root, 'cgroup', version === 1 ? controller : '');
  const mounts: CgroupMounts = {
    version,
    mountPoints: new Map(controllers.map((one) => [one, folder(one)])),
    others: [],
  };
  return new HostMachineStats({ mounts, memoryCapacity: 4096, root });
};

describe('cgroups of version 1', () => {
  beforeEach(async () => {
    for (const path of ['', 'kubepods/']) {
      await write(`cgroup/cpuacct/${path}cpuacct.usage`, '123456789012345678\n');
      await write(`cgroup/memory/${path}memory.usage_in_bytes`, '1000\n');
      await write(`cgroup/memory/${path}memory.limit_in_bytes`, path === '' ? '9223372036854771712\n' : '3000\n');
      await write(
        `cgroup/memory/${path}memory.stat`,
        'rss 1\ninactive_file 5\ntotal_rss 400\ntotal_inactive_file 300\ntotal_pgfault 7\ntotal_pgmajfault 2\n',
      );
    }
  });

  test.each([
    ['/', 4096n],
    ['/kubepods', 3000n],
  ])('report the usage of %s', async (path, limit) => {
    expect(await stats(1, ['cpuacct', 'memory']).cgroupUsage(path)).toEqual({
      cpu: 123456789012345678n,
      memory: { usage: 1000n, workingSet: 700n, rss: 400n, pageFaults: 7n, majorPageFaults: 2n, limit },
    });
  });

  test('report nothing for a controller that the machine lacks, and reject for a missing cgroup', async () => {
    expect(await stats(1, ['cpuacct']).cgroupUsage('/')).toEqual({ cpu: 123456789012345678n });
    await expect(stats(1, ['cpuacct']).cgroupUsage('/gone')).rejects.toThrow('ENOENT');
  });
});

describe('cgroups of version 2', () => {
  beforeEach(async () => {
    for (const path of ['', 'kubepods.slice/']) {
      await write(`cgroup/${path}cpu.stat`, 'usage_usec 12345\nuser_usec 1\n');
      await write(`cgroup/${path}memory.stat`, 'anon 400\ninactive_file 300\npgfault 7\npgmajfault 2\n');
    }
    await write('cgroup/kubepods.slice/memory.current', '200\n');
    await write('cgroup/kubepods.slice/memory.max', 'max\n');
  });

  test('report the usage of the machine from its memory', async () => {
    expect(await stats(2, ['cpu', 'memory']).cgroupUsage('/')).toEqual({
      cpu: 12_345_000n,
      memory: {
        usage: 3_072_000n,
        workingSet: 3_071_700n,
        rss: 400n,
        pageFaults: 7n,
        majorPageFaults: 2n,
        limit: 4096n,
      },
    });
  });

  test('report the usage of a cgroup without a limit, never below zero', async () => {
    expect((await stats(2, ['cpu', 'memory']).cgroupUsage('/kubepods.slice')).memory).toEqual({
      usage: 200n,
      workingSet: 0n,
      rss: 400n,
      pageFaults: 7n,
      majorPageFaults: 2n,
    });
  });
});

test('reports swap, processes, start time and network of a machine', async () => {
  const machine = stats(1, []);
  expect(await machine.swap()).toEqual({ available: 153_600n, usage: 51_200n });
  expect(await machine.rlimit()).toEqual({ maxpid: 31_000n, curproc: 3518n });
  expect(await machine.bootTime()).toBe(Date.parse('2026-01-01T00:00:00Z'));
  expect(await machine.networkInterfaces()).toEqual([
    { name: 'eth0', rxBytes: 100n, rxErrors: 3n, txBytes: 200n, txErrors: 6n },
  ]);
});

test('reports the size of a file system, and none for a missing path', async () => {
  const info = await fsInfoAt(root);
  expect(info?.capacity).toBeGreaterThan(0);
  expect(await fsInfoAt(join(root, 'gone'))).toBeUndefined();
});

test('reports no separate file system for images on the same device', async () => {
  expect(await diskLayoutOf(root, join(root, 'proc'))).toEqual({ dedicatedImageFs: false, splitContainerFs: false });
  expect((await diskLayoutOf(root, '/proc')).dedicatedImageFs).toBe(true);
});
