import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { skipUnless } from '#test/support/skip.ts';
import { cgroupMountsOf, HostCgroups } from './cgroup.ts';
import { settingsV1, settingsV2 } from './cgroup-settings.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cgroup-'));
});
afterEach(() => rm(root, { recursive: true }));

const files = (controllers: readonly string[]): HostCgroups =>
  new HostCgroups({
    mounts: {
      version: 1,
      mountPoints: new Map(controllers.map((name) => [name, join(root, name)])),
      others: [join(root, 'blkio')],
    },
    driver: 'cgroupfs',
    hugePageSizes: ['2MB'],
    sleep: async () => undefined,
  });

test('finds mounts of version 1 by controller and prefers the shortest folder', () => {
  const mountinfo = [
    '30 24 0:26 / /sys/fs/cgroup ro - tmpfs tmpfs ro',
    '31 30 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct',
    '32 30 0:27 / /mnt/long/path/to/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct',
    '33 30 0:28 / /sys/fs/cgroup/systemd rw shared:9 - cgroup systemd rw,name=systemd',
    '34 30 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw',
    '35 30 0:30 / /sys/fs/cgroup/net_cls rw - cgroup cgroup rw,net_cls',
  ].join('\n');
  const { version, mountPoints, others } = cgroupMountsOf(mountinfo);
  expect(version).toBe(1);
  expect(others).toEqual(['/sys/fs/cgroup/unified', '/sys/fs/cgroup/net_cls']);
  expect([...mountPoints]).toEqual([
    ['cpu', '/sys/fs/cgroup/cpu,cpuacct'],
    ['cpuacct', '/sys/fs/cgroup/cpu,cpuacct'],
    ['systemd', '/sys/fs/cgroup/systemd'],
  ]);
  expect(cgroupMountsOf('30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw').version).toBe(2);
  expect(() => cgroupMountsOf('')).toThrow('failed to find cgroup mounts');
});

test('creates, limits, lists and removes a cgroup in every hierarchy', async () => {
  const cgroups = files(['cpu', 'memory', 'cpuset']);
  await mkdir(join(root, 'cpuset'), { recursive: true });
  await writeFile(join(root, 'cpuset', 'cpuset.cpus'), '0-3\n');
  await writeFile(join(root, 'cpuset', 'cpuset.mems'), '0\n');
  await expect(cgroups.validate(['kubepods'])).rejects.toThrow('cgroup ["kubepods"] has some missing paths: ');
  const pod = ['kubepods', 'podabc'];
  await cgroups.create(pod, { cpuShares: 1024n, memory: 4096n });
  await cgroups.validate(pod);
  const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
  expect(await read('cpu/kubepods/podabc/cpu.shares')).toBe('1024');
  expect(await read('memory/kubepods/podabc/memory.limit_in_bytes')).toBe('4096');
  expect(await read('cpuset/kubepods/podabc/cpuset.cpus')).toBe('0-3');
  expect(await cgroups.children(['kubepods'])).toEqual([pod]);
  await mkdir(join(root, 'cpu/kubepods/podabc/container'));
  await writeFile(join(root, 'cpu/kubepods/podabc/container/cgroup.procs'), '12\n7\n');
  expect(await cgroups.pids(pod)).toEqual([7, 12]);
  for (const path of ['cpu/kubepods/podabc', 'memory/kubepods/podabc', 'cpuset/kubepods/podabc'])
    await rm(join(root, path), { recursive: true });
  for (const path of ['cpu', 'blkio']) await mkdir(join(root, path, 'kubepods/podabc/container'), { recursive: true });
  await cgroups.destroy(pod);
  await cgroups.destroy(pod);
  expect(await cgroups.children(['kubepods'])).toEqual([]);
});

const asRoot = skipUnless(process.getuid?.() === 0, 'device files need root');

test('returns no processes for a cgroup that is removed during the read', asRoot, async () => {
  const [gone, other] = [join(root, 'cpu/kubepods/gone'), join(root, 'cpu/kubepods/other')];
  for (const folder of [gone, other]) await mkdir(folder, { recursive: true });
  await writeFile(join(other, 'cgroup.procs'), '5\n');
  execFileSync('mknod', [join(gone, 'cgroup.procs'), 'c', '10', '254']); // without a driver, the file fails like that of a removed cgroup
  await expect(readFile(join(gone, 'cgroup.procs'))).rejects.toThrow('ENODEV');
  expect(await files(['cpu']).pids(['kubepods'])).toEqual([5]);
});

test('writes the files of each version', () => {
  const config = { memory: 100n, cpuShares: 262_144n, cpuQuota: 5000n, cpuPeriod: 100_000n, pidsLimit: 10n };
  const shown = (settings: readonly { file: string; value: string }[]) =>
    settings.map(({ file, value }) => `${file}=${value}`);
  expect(shown(settingsV1({ ...config, hugePageLimits: new Map([['2MB', 4n]]) }, ['2MB', '1GB']))).toEqual([
    'memory.limit_in_bytes=100',
    'cpu.shares=262144',
    'cpu.cfs_period_us=100000',
    'cpu.cfs_quota_us=5000',
    'pids.max=10',
    'hugetlb.2MB.limit_in_bytes=4',
    'hugetlb.1GB.limit_in_bytes=0',
  ]);
  expect(shown(settingsV2({ ...config, pidsLimit: -1n }, ['2MB']))).toEqual([
    'memory.max=100',
    'cpu.weight=10000',
    'cpu.max=5000 100000',
    'pids.max=max',
    'hugetlb.2MB.max=0',
  ]);
  expect(shown(settingsV2({ cpuQuota: -1n, cpuPeriod: 100_000n, cpuShares: 2n }, []))).toEqual([
    'cpu.weight=1',
    'cpu.max=max 100000',
  ]);
});
