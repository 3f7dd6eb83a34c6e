import { describe, expect, test } from 'vitest';
import { mountAt, mountRefs, mountsBelow, parseMountInfo } from './mount-info.ts';
import { bindOptions, mountArguments } from './mounter.ts';
import { cleanPath, joinPath, parentPath, partsBelow, pathWithinBase } from './path.ts';

const TABLE = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro
30 22 0:25 / /run rw,nosuid shared:2 master:1 - tmpfs tmpfs rw,size=100k
40 22 8:1 /disks/a /pods/u1/volumes/a rw - ext4 /dev/sda1 rw
41 22 8:1 /disks/a /pods/u2/with\\040blank rw - ext4 /dev/sda1 rw
42 40 0:30 / /pods/u1/volumes/a/inner rw - tmpfs tmpfs rw
43 22 0:31 / /pods/u10 rw - hugetlbfs nodev rw,pagesize=2M
`;
const mounts = parseMountInfo(TABLE);

describe('the mountinfo file', () => {
  test('parses one mount per line, with or without optional fields, and spaces in paths', () => {
    expect(mounts).toHaveLength(6);
    expect(mounts[1]).toEqual({
      id: 30,
      parentId: 22,
      device: '0:25',
      root: '/',
      mountPoint: '/run',
      options: ['rw', 'nosuid'],
      fsType: 'tmpfs',
      source: 'tmpfs',
      superOptions: ['rw', 'size=100k'],
    });
    expect(mounts[3]?.mountPoint).toBe('/pods/u2/with blank');
  });

  test('rejects a truncated line', () => {
    expect(() => parseMountInfo('22 1 8:1 / / rw - ext4')).toThrow('wrong number of fields');
  });

  test('finds the mount at exactly a path', () => {
    expect([mountAt(mounts, '/run')?.id, mountAt(mounts, '/run/x'), mountAt(mounts, '/pods')]).toEqual([
      30,
      undefined,
      undefined,
    ]);
  });

  test('finds mounts at a path and below, deepest first, but none with only a common prefix', () => {
    expect(mountsBelow(mounts, '/pods/u1')).toEqual(['/pods/u1/volumes/a/inner', '/pods/u1/volumes/a']);
  });

  test.each([
    ['/disks/a', ['/pods/u1/volumes/a', '/pods/u2/with blank']],
    ['/pods/u1/volumes/a', ['/pods/u2/with blank']],
    ['/disks/b', []],
    ['/run', []],
  ])('finds other mount points of %s', (path, refs) => {
    expect(mountRefs(mounts, path)).toEqual(refs);
  });
});

describe('a bind mount', () => {
  test.each([
    [['ro'], undefined],
    [['bind'], { bind: ['bind'] }],
    [['bind', 'ro', 'noatime'], { bind: ['bind'], remount: ['bind', 'remount', 'ro', 'noatime'] }],
    [['bind', '_netdev'], { bind: ['bind', '_netdev'], remount: ['bind', 'remount', '_netdev'] }],
  ])('splits the options %j', (options, expected) => {
    expect(bindOptions(options)).toEqual(expected);
  });

  test('puts flags before all other arguments', () => {
    const request = {
      source: '/a',
      target: '/b',
      fsType: 'ext4',
      options: ['ro', 'noatime'],
      flags: ['--no-canonicalize'],
    };
    expect(mountArguments(request)).toEqual(['--no-canonicalize', '-t', 'ext4', '-o', 'ro,noatime', '/a', '/b']);
    expect(mountArguments({ source: '', target: '/b', fsType: '', options: [] })).toEqual(['/b']);
  });
});

describe('paths of mounts', () => {
  test.each([
    ['/a//b/./c/../d/', '/a/b/d'],
    ['/../..', '/'],
    ['a/../..', '..'],
    ['', '.'],
    ['./x', 'x'],
  ])('cleans %j to %j', (path, clean) => {
    expect(cleanPath(path)).toBe(clean);
  });

  test.each([
    ['/a/b', '/a', ['b']],
    ['/a', '/a', []],
    ['/ab', '/a', undefined],
    ['/a/../b', '/a', undefined],
    ['/b', '/', ['b']],
  ])('splits %j below %j into the parts %j', (path, base, parts) => {
    expect(partsBelow(path, base)).toEqual(parts);
    expect(pathWithinBase(path, base)).toBe(parts !== undefined);
  });

  test('joins paths and finds parents', () => {
    expect([joinPath('/a', '', 'b/../c'), parentPath('/a/b'), parentPath('/')]).toEqual(['/a/c', '/a', '/']);
  });
});
