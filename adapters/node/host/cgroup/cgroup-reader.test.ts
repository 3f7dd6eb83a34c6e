import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { interfacesOf } from '../machine/machine-stats.ts';
import type { CgroupMounts } from './cgroup.ts';
import { HostCgroupReader } from './cgroup-reader.ts';

const MADE = new Date('2026-01-01T00:00:00Z');
let root: string;

beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'cgroup-reader-'))));
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

/** Each hierarchy of version 1 has a folder. Two controllers may share a folder, and some belong only to the container runtime. */
const versionOne = (): CgroupMounts => ({
  version: 1,
  mountPoints: new Map([
    ['memory', join(root, 'memory')],
    ['cpu', join(root, 'cpu,cpuacct')],
    ['cpuacct', join(root, 'cpu,cpuacct')],
  ]),
  others: [join(root, 'blkio'), join(root, 'net_cls,net_prio')],
});
/** All controllers of version 2 are in one folder. */
const versionTwo = (): CgroupMounts => ({ version: 2, mountPoints: new Map([['memory', root]]), others: [] });

const layouts = [
  { version: 1, memory: 'memory/', mounts: versionOne },
  { version: 2, memory: '', mounts: versionTwo },
];

describe.each(layouts)('HostCgroupReader with cgroups of version $version', ({ version, memory, mounts }) => {
  const reader = (): HostCgroupReader => new HostCgroupReader(mounts());

  test('reports the version and the children of a cgroup by name', async () => {
    for (const child of ['podb', 'poda']) await write(`${memory}kubepods/${child}/cgroup.procs`, '');
    await write(`${memory}kubepods/cgroup.procs`, '');
    expect(reader().version).toBe(version);
    expect(await reader().children('/kubepods')).toEqual(['poda', 'podb']);
    expect(await reader().children('/kubepods/poda')).toEqual([]);
    expect(await reader().children('/gone')).toEqual([]);
  });

  test('reports when a cgroup was created', async () => {
    await write(`${memory}kubepods/cgroup.procs`, '');
    await utimes(join(root, memory, 'kubepods/cgroup.procs'), MADE, MADE);
    expect(await reader().createdAt('/kubepods')).toBe(MADE.getTime());
    expect(await reader().createdAt('/gone')).toBeUndefined();
  });

  test("reports the network interfaces of a cgroup's first process", async () => {
    await write(`${memory}here/cgroup.procs`, `${process.pid}\n1\n`);
    await write(`${memory}empty/cgroup.procs`, '');
    const seen = interfacesOf(await readFile('/proc/self/net/dev', 'utf8')).map(({ name }) => name);
    expect((await reader().network('/here')).map(({ name }) => name)).toEqual(seen);
    expect(await reader().network('/empty')).toEqual([]);
    expect(await reader().network('/gone')).toEqual([]);
  });

  test('returns no name for an unknown device', async () => {
    expect(await reader().device('0:0')).toBe('');
  });

  test('rejects a file that cannot be read for a reason other than its removal', async () => {
    await mkdir(join(root, memory, 'a/memory.stat'), { recursive: true });
    await expect(reader().read('memory', '/a', 'memory.stat')).rejects.toThrow('EISDIR');
  });
});

test.each([
  ['version 1', versionOne, 'memory', 'memory/a/file'],
  ['version 1, two controllers in one hierarchy', versionOne, 'cpuacct', 'cpu,cpuacct/a/file'],
  ['version 1, a hierarchy of the runtime', versionOne, 'blkio', 'blkio/a/file'],
  ['version 1, two of the runtime in one', versionOne, 'net_prio', 'net_cls,net_prio/a/file'],
  ['version 2', versionTwo, 'memory', 'a/file'],
  ['version 2, a controller that the kubelet does not set', versionTwo, 'io', 'a/file'],
])("reads a controller's file in its folder: %s", async (_, mounts, controller, path) => {
  await write(path, '1\n');
  const reader = new HostCgroupReader(mounts());
  expect(await reader.read(controller, '/a', 'file')).toBe('1\n');
  expect(await reader.read(controller, '/a', 'gone')).toBeUndefined();
  expect(await reader.read(controller, '/gone', 'file')).toBeUndefined();
});

test('has no file for a controller that version 1 lacks', async () => {
  await write('memory/a/file', '1\n');
  expect(await new HostCgroupReader(versionOne()).read('rdma', '/a', 'file')).toBeUndefined();
});
