import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { ImageSpec } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { Subpath } from '#lib/node/volume/subpath/subpath.ts';
import { containerOf, podOf } from '../testing/decoded-pod.ts';
import { MemoryPodFiles } from '../testing/pod-files.ts';
import { makeBlockVolumes } from './block-volumes.ts';
import { type MountPlace, type MountPorts, makeMounts, resolveRecursiveReadOnly } from './mounts.ts';

const volumeAt = (path: string, overrides = {}) => ({
  path,
  innerVolumeSpecName: path.slice(1),
  readOnly: false,
  block: false,
  selinuxRelabel: false,
  ...overrides,
});

const place = (overrides: Partial<MountPlace> = {}): MountPlace => ({
  podDir: '/pods/u-1',
  hostname: 'web',
  domain: '',
  podIPs: [],
  volumes: new Map([
    ['disk', volumeAt('/disk')],
    ['ro', volumeAt('/ro', { readOnly: true, selinuxRelabel: true })],
    ['raw', volumeAt('/raw', { block: true })],
  ]),
  envs: [{ name: 'NAME', value: 'app' }],
  supportsRecursiveReadOnly: false,
  imageVolumes: new Map(),
  ...overrides,
});

class Subpaths {
  readonly made: [string, string, number][] = [];
  readonly prepared: Subpath[] = [];

  async safeMakeDir(subdir: string, base: string, mode: number): Promise<void> {
    if (subdir === 'refused') throw new Error('secret of the host');
    this.made.push([subdir, base, mode]);
  }

  async prepareSafeSubpath(subpath: Subpath): Promise<string> {
    if (subpath.path.endsWith('bad')) throw new Error('secret of the host');
    this.prepared.push(subpath);
    return `/bound${subpath.path}`;
  }
}

const mountsOf = (
  volumeMounts: JsonObject[],
  given: { place?: Partial<MountPlace>; ports?: Partial<MountPorts>; spec?: JsonObject } = {},
) => {
  const pod = podOf({ containers: [{ name: 'c', volumeMounts }], ...given.spec });
  const ports = { files: new MemoryPodFiles(), subpaths: new Subpaths(), ...given.ports };
  return makeMounts(pod, containerOf(pod), place(given.place), ports);
};

const plain = { propagation: 0, recursiveReadOnly: false, readOnly: false, selinuxRelabel: false };

test('mounts a volume from its directory', async () => {
  expect(
    await mountsOf([
      { name: 'disk', mountPath: '/a' },
      { name: 'disk', mountPath: 'b', readOnly: true, mountPropagation: 'HostToContainer' },
      { name: 'ro', mountPath: '/c', mountPropagation: 'Bidirectional' },
      { name: 'disk', mountPath: '/d', mountPropagation: 'None' },
    ]),
  ).toEqual([
    { ...plain, name: 'disk', containerPath: '/a', hostPath: '/disk' },
    { ...plain, name: 'disk', containerPath: '/b', hostPath: '/disk', readOnly: true, propagation: 1 },
    {
      ...plain,
      name: 'ro',
      containerPath: '/c',
      hostPath: '/ro',
      readOnly: true,
      selinuxRelabel: true,
      propagation: 2,
    },
    { ...plain, name: 'disk', containerPath: '/d', hostPath: '/disk' },
  ]);
});

test.each<[JsonObject, string]>([
  [{ name: 'none', mountPath: '/a' }, 'cannot find volume "none" to mount into container "c"'],
  [{ name: 'raw', mountPath: '/a' }, 'cannot find volume "raw" to mount into container "c"'],
  [{ name: 'disk', mountPath: '/a', subPath: '/abs' }, 'error SubPath `/abs` must not be an absolute path'],
  [{ name: 'disk', mountPath: '/a', subPath: 'a/../b' }, "unable to provision SubPath `a/../b`: must not contain '..'"],
  [{ name: 'disk', mountPath: '/a', subPathExpr: '$(NONE)' }, 'missing value for NONE'],
  [{ name: 'disk', mountPath: '/a', mountPropagation: 'Odd' }, 'invalid MountPropagation mode: "Odd"'],
  [
    { name: 'disk', mountPath: '/a', subPath: 'refused' },
    'failed to create subPath directory for volumeMount "disk" of container "c"',
  ],
  [
    { name: 'disk', mountPath: '/a', subPath: 'bad' },
    'failed to prepare subPath for volumeMount "disk" of container "c"',
  ],
  [
    { name: 'disk', mountPath: '/a', readOnly: true, recursiveReadOnly: 'Enabled' },
    'failed to resolve recursive read-only mode: volume "disk" requested recursive read-only mode, but it is not supported by the runtime',
  ],
])('rejects the mount %j', async (mount, message) => {
  await expect(mountsOf([mount])).rejects.toThrow(new Error(message));
});

describe('a mounted subpath', () => {
  test('creates a subpath with the mode of its volume and binds it', async () => {
    const subpaths = new Subpaths();
    const mounts = await mountsOf(
      [
        { name: 'disk', mountPath: '/a' },
        { name: 'disk', mountPath: '/b', subPathExpr: 'x/$(NAME)' },
      ],
      { ports: { subpaths } },
    );
    expect(mounts[1]?.hostPath).toBe('/bound/disk/x/app');
    expect(subpaths.made).toEqual([['x/app', '/disk', 0o755]]);
    expect(subpaths.prepared).toEqual([
      {
        volumeMountIndex: 1,
        path: '/disk/x/app',
        volumeName: 'disk',
        volumePath: '/disk',
        podDir: '/pods/u-1',
        containerName: 'c',
      },
    ]);
  });

  test('does not create an existing subpath', async () => {
    const subpaths = new Subpaths();
    const files = new MemoryPodFiles({ '/disk/file': '' });
    await mountsOf([{ name: 'disk', mountPath: '/b', subPath: 'file' }], { ports: { subpaths, files } });
    expect(subpaths.made).toEqual([]);
    expect(subpaths.prepared).toHaveLength(1);
  });

  test('does not create a subpath if the host cannot tell whether it exists', async () => {
    const subpaths = new Subpaths();
    const files = Object.assign(new MemoryPodFiles(), { exists: async () => Promise.reject(new Error('stale')) });
    await mountsOf([{ name: 'disk', mountPath: '/b', subPath: 'file' }], { ports: { subpaths, files } });
    expect(subpaths.made).toEqual([]);
  });
});

test('leaves the mount of an image volume to the runtime', async () => {
  const image = ImageSpec.fromPartial({ image: 'sha256:1' });
  const imageVolumes = new Map([['disk', image]]);
  expect(await mountsOf([{ name: 'disk', mountPath: '/a', subPath: 'sub' }], { place: { imageVolumes } })).toEqual([
    { ...plain, name: 'disk', containerPath: '/a', hostPath: '', image, imageSubPath: 'sub' },
  ]);
});

describe('the hosts file', () => {
  const hosts = { name: 'k8s-managed-etc-hosts', containerPath: '/etc/hosts', hostPath: '/pods/u-1/etc-hosts' };

  test('writes and mounts the hosts file once the pod has an address', async () => {
    const files = new MemoryPodFiles();
    const mounts = await mountsOf([], {
      place: { podIPs: ['10.0.0.1'], domain: 'sub.shop.svc.cluster.local' },
      ports: { files },
      spec: { hostAliases: [{ ip: '1.2.3.4', hostnames: ['a'] }] },
    });
    expect(mounts).toEqual([{ ...hosts, readOnly: false, selinuxRelabel: true }]);
    expect(files.modes.get('/pods/u-1/etc-hosts')).toBe(0o644);
    const content = files.files.get('/pods/u-1/etc-hosts') ?? '';
    expect(content).toContain('10.0.0.1\tweb.sub.shop.svc.cluster.local\tweb\n');
    expect(content.endsWith('# Entries added by HostAliases.\n1.2.3.4\ta\n')).toBe(true);
  });

  test("mounts a copy of the host's file on the host's network", async () => {
    const files = new MemoryPodFiles({ '/etc/hosts': '127.0.0.1\tlocalhost\n' });
    expect(await mountsOf([], { ports: { files }, spec: { hostNetwork: true } })).toHaveLength(1);
    expect(files.files.get('/pods/u-1/etc-hosts')).toBe(
      '# Kubernetes-managed hosts file (host network).\n127.0.0.1\tlocalhost\n',
    );
  });

  test('does not mount the hosts file without an address or over a volume', async () => {
    expect(await mountsOf([])).toEqual([]);
    const mounts = await mountsOf([{ name: 'disk', mountPath: '/etc/hosts' }], { place: { podIPs: ['10.0.0.1'] } });
    expect(mounts.map(({ name }) => name)).toEqual(['disk']);
  });
});

describe('recursive read-only mounts', () => {
  const mount = { name: 'v', mountPath: '/v', readOnly: true };
  const asked = 'volume "v" requested recursive read-only mode, but it is';
  test.each([
    [{}, true, false],
    [{ recursiveReadOnly: 'Disabled' }, true, false],
    [{ recursiveReadOnly: 'IfPossible' }, false, false],
    [{ recursiveReadOnly: 'IfPossible', mountPropagation: 'None' }, true, true],
    [{ recursiveReadOnly: 'Enabled' }, true, true],
  ])('checks whether %j is recursive with runtime support %j', (mode, supported, expected) => {
    expect(resolveRecursiveReadOnly({ ...mount, ...mode }, supported)).toBe(expected);
  });

  test.each([
    [{ recursiveReadOnly: 'Enabled' }, false, `${asked} not supported by the runtime`],
    [{ recursiveReadOnly: 'Enabled', readOnly: false }, true, `${asked} not read-only`],
    [
      { recursiveReadOnly: 'IfPossible', mountPropagation: 'HostToContainer' },
      true,
      `${asked} not compatible with propagation "HostToContainer"`,
    ],
    [{ recursiveReadOnly: 'Odd' }, true, 'unknown recursive read-only mode "Odd"'],
  ])('rejects the recursive mount %j', (mode, supported, message) => {
    expect(() => resolveRecursiveReadOnly({ ...mount, ...mode }, supported)).toThrow(new Error(message));
  });
});

describe('devices from block volumes', () => {
  const volumes = new Map([
    ['raw', volumeAt('/raw', { block: true })],
    ['ro', volumeAt('/raw-ro', { block: true, readOnly: true })],
    ['gone', volumeAt('/gone', { block: true })],
    ['disk', volumeAt('/disk')],
  ]);
  const files = new MemoryPodFiles({}, ['/raw', '/raw-ro']);
  const devicesOf = (name: string, devicePath = '/dev/x') =>
    makeBlockVolumes({ name: 'c', volumeDevices: [{ name, devicePath }] }, volumes, files);

  test.each([
    ['raw', [{ pathOnHost: '/raw', pathInContainer: '/dev/x', permissions: 'mrw' }]],
    ['ro', [{ pathOnHost: '/raw-ro', pathInContainer: '/dev/x', permissions: 'r' }]],
    ['gone', []],
  ])('returns the devices for the volume %s', async (name, devices) => {
    expect(await devicesOf(name)).toEqual(devices);
  });

  test.each([
    ['raw', 'dev', 'error DevicePath `dev` must be an absolute path'],
    ['none', '/dev/x', 'cannot find volume "none" to pass into container "c"'],
    ['disk', '/dev/x', 'cannot find volume "disk" to pass into container "c"'],
  ])('rejects the volume %s with device path %s', async (name, path, message) => {
    await expect(devicesOf(name, path)).rejects.toThrow(message);
  });
});
