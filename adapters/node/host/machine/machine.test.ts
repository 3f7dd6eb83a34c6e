import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Machine } from './machine.ts';

const FILES: Readonly<Record<string, string>> = {
  'proc/meminfo':
    'MemTotal:       16384256 kB\nMemFree:  1 kB\nMemAvailable:    8192000 kB\nSwapTotal:       2097148 kB\n',
  'proc/sys/kernel/random/boot_id': '7b1c\n',
  'proc/sys/kernel/osrelease': '6.1.0-13-amd64\n',
  'proc/net/route':
    'Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\n' +
    'eth0\t00000000\t0102A8C0\t0003\t0\t0\t0\t00000000\t0\neth1\t0002A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\n',
  'proc/net/ipv6_route': [
    `${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00 fe800000000000000000000000000001 00000400 1 0 00000003 eth2`,
    `${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00 ${'0'.repeat(32)} ffffffff 1 0 00200200 lo`,
  ].join('\n'),
  'sys/devices/system/cpu/online': '0-3\n',
  'sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages': '8\n',
  'sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages': '0\n',
  'sys/class/dmi/id/product_uuid': '4c4c\n',
  'etc/machine-id': '9f8e\n',
  'etc/os-release': 'NAME="Debian GNU/Linux"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n',
};
let root: string;
let machine: Machine;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'machine-'));
  for (const [path, text] of Object.entries(FILES)) await write(path, text);
  machine = new Machine({ rootDirectory: root, root });
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

describe('Machine on Linux', () => {
  test('reports cores, memory, swap, huge pages and ids', async () => {
    expect(await machine.machineInfo()).toEqual({
      numCores: 4,
      memoryCapacity: 16_384_256 * 1024,
      swapCapacity: 2_097_148 * 1024,
      hugePages: [
        { pageSize: 2048, numPages: 8 },
        { pageSize: 1_048_576, numPages: 0 },
      ],
      machineID: '9f8e',
      systemUUID: '4c4c',
      bootID: '7b1c',
    });
    expect(await machine.memoryAvailable()).toBe(8_192_000 * 1024);
  });

  test('reports no ids and huge pages if the files are missing', async () => {
    for (const path of ['sys/kernel', 'sys/class', 'etc']) await rm(join(root, path), { recursive: true });
    expect(await machine.machineInfo()).toMatchObject({ hugePages: [], machineID: '', systemUUID: '' });
    expect((await machine.versionInfo()).containerOsVersion).toBe('Linux');
  });

  test('throws without a memory size', async () => {
    await write('proc/meminfo', 'MemTotal:   many kB\n');
    await expect(machine.machineInfo()).rejects.toThrow('/proc/meminfo has no MemTotal');
  });

  test('reports the versions of its kernel and system', async () => {
    expect(await machine.versionInfo()).toEqual({
      kernelVersion: '6.1.0-13-amd64',
      containerOsVersion: 'Debian GNU/Linux 12 (bookworm)',
    });
  });

  test('lists interfaces and default routes, IPv4 first', async () => {
    const { interfaces, defaultRoutes } = await machine.network();
    expect(defaultRoutes).toEqual([
      { interface: 'eth0', family: 4 },
      { interface: 'eth2', family: 6 },
    ]);
    expect(interfaces.find(({ loopback }) => loopback)?.addresses).toContain('127.0.0.1');
  });

  test('reports no routes without a table', async () => {
    await rm(join(root, 'proc/net'), { recursive: true });
    expect((await machine.network()).defaultRoutes).toBe(undefined);
  });

  test('reports the file system of its folder', async () => {
    const { capacity, available, inodes, inodesFree } = await machine.rootFs();
    expect(capacity).toBeGreaterThan(available);
    expect(inodes).toBeGreaterThanOrEqual(inodesFree);
  });

  test('looks up names', async () => {
    expect(await machine.lookup('127.0.0.1')).toEqual(['127.0.0.1']);
    expect(await machine.lookup('no such name')).toEqual([]);
  });
});
