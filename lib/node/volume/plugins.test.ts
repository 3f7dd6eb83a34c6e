import { beforeEach, describe, expect, test } from 'vitest';
import type { Pod, Volume, VolumeProjection } from '#lib/api/types/core.v1.ts';
import type { FileType } from './files.ts';
import { volumePlugins } from './plugins.ts';
import { aPod, MemoryHost } from './testing/memory-host.ts';
import { findPlugin, type MounterArgs, type VolumeSpec } from './volume.ts';

let host: MemoryHost;
beforeEach(() => {
  host = new MemoryHost();
  const data = { user: 'YWRtaW4=', password: 'c2VjcmV0' };
  host.secrets.set('ns/creds', { metadata: { name: 'creds', namespace: 'ns' }, data });
  const binaryData = { logo: 'AQI=' };
  host.configMaps.set('ns/conf', {
    metadata: { name: 'conf', namespace: 'ns' },
    data: { 'app.ini': 'x=1' },
    binaryData,
  });
});

async function setUp(
  source: Omit<Volume, 'name'>,
  { args = {}, pod }: { args?: MounterArgs; pod?: Pod } = {},
): Promise<string> {
  const volume = { name: 'vol', ...source };
  return setUpSpec({ name: 'vol', volume, readOnly: false }, { args, pod: pod ?? aPod({ volumes: [volume] }) });
}

async function setUpSpec(
  spec: VolumeSpec,
  { args = {}, pod = aPod() }: { args?: MounterArgs; pod?: Pod } = {},
): Promise<string> {
  const mounter = await findPlugin(volumePlugins(host), spec).mounter(spec, pod);
  await mounter.setUp(args);
  return mounter.path;
}

const base = '/var/lib/kubelet/pods/u1/volumes/kubernetes.io';

describe('a configMap volume', () => {
  test('contains a file for each key of data and binaryData', async () => {
    const path = await setUp({ configMap: { name: 'conf', defaultMode: 0o644 } });
    expect(path).toBe(`${base}~configmap/vol`);
    expect(host.files.texts(path)).toEqual({ 'app.ini': 'x=1', logo: '\u0001\u0002' });
    expect(host.mounter.mounts).toEqual([]);
  });

  test('contains selected keys at their paths with their modes', async () => {
    const items = [
      { key: 'app.ini', path: 'etc/app.ini', mode: 0o400 },
      { key: 'logo', path: 'logo' },
    ];
    const path = await setUp({ configMap: { name: 'conf', items, defaultMode: 0o644 } });
    expect(host.files.texts(path)['etc/app.ini']).toBe('x=1');
    expect([host.files.modes.get(`${path}/etc/app.ini`), host.files.modes.get(`${path}/logo`)]).toEqual([0o400, 0o644]);
  });

  test.each([
    ['a missing config map', { name: 'none', defaultMode: 0o644 }, 'configmap "none" not found'],
    [
      'a missing key',
      { name: 'conf', items: [{ key: 'k', path: 'p' }], defaultMode: 0o644 },
      'configmap references non-existent config key: k',
    ],
    ['a missing default mode', { name: 'conf' }, 'no defaultMode used, not even the default value for it'],
  ])('rejects a config map volume with %s', async (_, configMap, reason) => {
    await expect(setUp({ configMap })).rejects.toThrow(new Error(reason));
    expect(host.files.types.size).toBe(0);
  });

  test.each([
    ['a config map', { name: 'none', defaultMode: 0o644, optional: true }],
    ['a key', { name: 'conf', items: [{ key: 'k', path: 'p' }], defaultMode: 0o644, optional: true }],
  ])('is empty if %s is optional and missing', async (_, configMap) => {
    expect(host.files.texts(await setUp({ configMap }))).toEqual({});
  });

  test('creates directories for volumes mounted below it', async () => {
    const volume: Volume = { name: 'vol', configMap: { name: 'conf', defaultMode: 0o644 } };
    const volumeMounts = [
      { name: 'vol', mountPath: '/etc/app' },
      { name: 'other', mountPath: '/etc/app/secrets' },
      { name: 'deep', mountPath: '/etc/app/secrets/deep' },
      { name: 'beside', mountPath: '/etc/app.d' },
    ];
    const path = await setUp(volume, {
      pod: aPod({ volumes: [volume], containers: [{ name: 'app', volumeMounts, resources: {} }] }),
    });
    expect([...host.files.types.keys()].filter((name) => name.startsWith(`${path}/`))).toEqual([`${path}/secrets`]);
  });

  test('is removed again if its files cannot be written', async () => {
    host.files.writeFailure = 'no space left on device';
    await expect(setUp({ configMap: { name: 'conf', defaultMode: 0o644 } })).rejects.toThrow('no space left on device');
    expect([...host.files.types.keys()].filter((path) => path.includes('/volumes/'))).toEqual([]);
  });
});

describe('a secret volume', () => {
  test('is always on tmpfs and belongs to the group', async () => {
    const path = await setUp({ secret: { secretName: 'creds', defaultMode: 0o400 } }, { args: { fsGroup: 7 } });
    expect(host.mounter.mounts).toEqual([{ source: 'tmpfs', target: path, fsType: 'tmpfs', options: ['size=1000'] }]);
    expect(host.files.texts(path)).toEqual({ user: 'admin', password: 'secret' });
    expect(host.files.owned.at(-1)).toEqual({ path, fsGroup: 7, readOnly: true });
  });

  test('writes no files if the mount fails', async () => {
    host.mounter.failure = 'mount failed: exit status 32';
    await expect(setUp({ secret: { secretName: 'creds', defaultMode: 0o400 } })).rejects.toThrow('mount failed');
    expect(host.files.projections.size).toBe(0);
  });

  test.each([
    ['a missing secret', { secretName: 'none', defaultMode: 0o400 }, 'secret "none" not found'],
    [
      'a missing key',
      { secretName: 'creds', items: [{ key: 'k', path: 'p' }], defaultMode: 0o400 },
      'references non-existent secret key: k',
    ],
  ])('rejects a secret volume with %s', async (_, secret, reason) => {
    await expect(setUp({ secret })).rejects.toThrow(new Error(reason));
  });

  test('is unmounted before it is removed', async () => {
    const path = await setUp({ secret: { secretName: 'creds', defaultMode: 0o400 } });
    const spec = { name: 'vol', volume: { name: 'vol', secret: {} }, readOnly: false };
    await findPlugin(volumePlugins(host), spec).tearDown('vol', 'u1');
    expect([host.mounter.mounts, host.files.types.has(path)]).toEqual([[], false]);
  });
});

describe('a projected volume', () => {
  const project = (sources: VolumeProjection[], args: MounterArgs = {}) =>
    setUp({ projected: { sources, defaultMode: 0o644 } }, { args });

  test('contains all sources, with later ones overriding earlier ones', async () => {
    const path = await project([
      { secret: { name: 'creds', items: [{ key: 'user', path: 'same' }] } },
      { configMap: { name: 'conf', items: [{ key: 'app.ini', path: 'same' }] } },
      { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
      { serviceAccountToken: { path: 'token', audience: 'vault' } },
    ]);
    expect(host.files.texts(path)).toEqual({ same: 'x=1', name: 'web', token: 'token of robot for vault' });
    expect(host.mounter.mounts).toMatchObject([{ fsType: 'tmpfs', target: path }]);
  });

  test.each([
    ['a group', { fsGroup: 7 }, 0o600],
    ['a user', { fsUser: 9 }, 0o600],
    ['neither', {}, 0o644],
  ])('writes a token only for its owner if the pod has %s', async (_, args, mode) => {
    const path = await project([{ serviceAccountToken: { path: 'token' } }], args);
    expect(host.files.modes.get(`${path}/token`)).toBe(mode);
  });

  test('reports all failed sources', async () => {
    const attempt = project([
      { secret: { name: 'none' } },
      { downwardAPI: { items: [{ path: 'x', fieldRef: { fieldPath: 'spec.foo' } }] } },
      { clusterTrustBundle: { name: 'roots', path: 'ca.pem' } },
    ]);
    const texts = [
      'secret "none" not found',
      'unsupported fieldPath: spec.foo',
      'ClusterTrustBundle projection is not supported in static kubelet mode',
    ];
    await expect(attempt).rejects.toThrow(new Error(`[${texts.join(', ')}]`));
  });

  test('forgets the tokens of its pod', async () => {
    const spec = { name: 'vol', volume: { name: 'vol', projected: { sources: [] } }, readOnly: false };
    await findPlugin(volumePlugins(host), spec).tearDown('vol', 'u1');
    expect(host.forgotten).toEqual(['u1']);
  });
});

describe('an emptyDir volume', () => {
  test('creates a directory on disk that belongs to the group', async () => {
    const path = await setUp({ emptyDir: {} }, { args: { fsGroup: 7 } });
    expect(path).toBe(`${base}~empty-dir/vol`);
    expect(host.files.owned).toEqual([{ path, fsGroup: 7, readOnly: false }]);
    expect(host.files.types.get('/var/lib/kubelet/pods/u1/plugins/kubernetes.io~empty-dir/vol/ready')).toBe('File');
    await setUp({ emptyDir: {} }, { args: { fsGroup: 7 } });
    expect(host.files.owned).toHaveLength(1);
  });

  test.each([
    ['the limit of the volume', { sizeLimit: '100' }, undefined, 100],
    ["the node's allocatable memory", {}, undefined, 1000],
    ['the memory limit of the pod', { sizeLimit: '900' }, '500', 500],
    ["the node's allocatable memory if the limit exceeds it", { sizeLimit: '1Ki' }, undefined, 1000],
  ])('limits the size in memory to %s', async (_, source, memory, size) => {
    const volume: Volume = { name: 'vol', emptyDir: { medium: 'Memory', ...source } };
    const resources = memory === undefined ? {} : { limits: { memory } };
    const path = await setUp(volume, { pod: aPod({ volumes: [volume], containers: [{ name: 'app', resources }] }) });
    expect(host.mounter.mounts).toEqual([
      { source: 'tmpfs', target: path, fsType: 'tmpfs', options: [`size=${size}`] },
    ]);
  });

  const withPages = (medium: string, ...names: string[]): Promise<string> => {
    const volume: Volume = { name: 'vol', emptyDir: { medium } };
    const containers = names.map((name) => ({ name: 'app', resources: { requests: { [name]: '4Mi' } } }));
    return setUp(volume, { pod: aPod({ volumes: [volume], containers }) });
  };

  test.each([
    ['HugePages', ['hugepages-2Mi'], 'pagesize=2Mi'],
    ['HugePages-1Gi', ['hugepages-2Mi', 'hugepages-1Gi'], 'pagesize=1Gi'],
  ])('mounts the medium %s for %j with its page size', async (medium, names, option) => {
    await withPages(medium, ...names);
    expect(host.mounter.mounts).toMatchObject([{ source: 'nodev', fsType: 'hugetlbfs', options: [option] }]);
  });

  test.each([
    ['HugePages', [], 'medium HugePages: hugePages storage requested, but there is no resource request for huge pages'],
    [
      'HugePages',
      ['hugepages-2Mi', 'hugepages-1Gi'],
      "medium: HugePages can't be used if container requests multiple huge page sizes",
    ],
    ['Floppy', [], 'unknown storage medium "Floppy"'],
  ])('rejects the medium %s for requests of %j', async (medium, names, reason) => {
    await expect(withPages(medium, ...names)).rejects.toThrow(new Error(reason));
  });
});

describe('a hostPath volume', () => {
  test.each<[string, FileType | undefined, string | undefined]>([
    ['', undefined, undefined],
    ['Directory', 'Directory', undefined],
    ['Directory', 'File', 'hostPath type check failed: /srv is not a directory'],
    ['Directory', undefined, 'hostPath type check failed: /srv is not a directory'],
    ['DirectoryOrCreate', 'File', 'hostPath type check failed: /srv is not a directory'],
    ['File', 'Directory', 'hostPath type check failed: /srv is not a file'],
    ['FileOrCreate', 'Directory', 'hostPath type check failed: /srv is not a file'],
    ['Socket', 'File', 'hostPath type check failed: /srv is not a socket file'],
    ['Socket', 'Socket', undefined],
    ['CharDevice', 'BlockDevice', 'hostPath type check failed: /srv is not a character device'],
    ['BlockDevice', 'CharDevice', 'hostPath type check failed: /srv is not a block device'],
    ['SocketOrCreate', 'Socket', 'SocketOrCreate is an invalid volume type'],
  ])('checks the type %j if the host has %j: %j', async (type, found, reason) => {
    if (found !== undefined) host.files.types.set('/srv', found);
    const attempt = setUp({ hostPath: { path: '/srv', type } });
    await (reason === undefined
      ? expect(attempt).resolves.toBe('/srv')
      : expect(attempt).rejects.toThrow(new Error(reason)));
  });

  test.each<[string, FileType]>([
    ['DirectoryOrCreate', 'Directory'],
    ['FileOrCreate', 'File'],
  ])('creates a missing path of type %s', async (type, made) => {
    await setUp({ hostPath: { path: '/srv/new', type } });
    expect(host.files.types.get('/srv/new')).toBe(made);
  });

  test('rejects a path that leads upwards', async () => {
    const attempt = setUp({ hostPath: { path: '/srv/../etc', type: '' } });
    await expect(attempt).rejects.toThrow(new Error("invalid HostPath `/srv/../etc`: must not contain '..'"));
  });
});

describe('a local volume', () => {
  const spec = (more: object = {}, readOnly = false): VolumeSpec => ({
    name: 'pv1',
    readOnly,
    persistentVolume: { metadata: { name: 'pv1' }, spec: { local: { path: '/disks/a' }, ...more }, status: {} },
  });
  const path = `${base}~local-volume/pv1`;

  test("binds its directory into the pod with the volume's mount options", async () => {
    host.files.types.set('/disks/a', 'Directory');
    await setUpSpec(spec({ mountOptions: ['noatime'] }, true));
    const options = ['bind', 'ro', 'noatime'];
    expect(host.mounter.mounts).toEqual([{ source: '/disks/a', target: path, fsType: '', options }]);
  });

  test('sets the owner for its first pod, and warns the next one with another group', async () => {
    host.files.types.set('/disks/a', 'Directory');
    host.files.group = 7;
    await setUpSpec(spec(), { args: { fsGroup: 7, fsGroupChangePolicy: 'OnRootMismatch' } });
    await setUpSpec(spec(), { args: { fsGroup: 8 }, pod: aPod({ uid: 'u2' }) });
    expect(host.files.owned).toEqual([{ path, fsGroup: 7, readOnly: false, policy: 'OnRootMismatch' }]);
    expect(host.warnings).toEqual([
      'AlreadyMountedVolume: The requested fsGroup is 8, but the volume pv1 has GID 7. The volume may not be shareable.',
    ]);
  });

  test.each<[string, FileType | undefined]>([
    ['path "/disks/a" does not exist', undefined],
    ['only directory and block device are supported', 'File'],
  ])('rejects a volume: %s', async (reason, type) => {
    if (type !== undefined) host.files.types.set('/disks/a', type);
    await expect(setUpSpec(spec())).rejects.toThrow(new Error(reason));
  });

  test('mounts the file system of a device once for all pods', async () => {
    host.files.types.set('/disks/a', 'BlockDevice');
    const { device } = findPlugin(volumePlugins(host), spec());
    const global = await device?.deviceMountPath(spec());
    expect(global).toBe('/var/lib/kubelet/plugins/kubernetes.io/local-volume/mounts/pv1');
    await device?.mountDevice(spec(), global ?? '', {});
    await device?.mountDevice(spec(), global ?? '', {});
    expect(host.mounter.mounts).toEqual([{ source: '/disks/a', target: global, fsType: 'ext4', options: [] }]);
    await setUpSpec(spec());
    await expect(device?.unmountDevice('pv1')).rejects.toThrow('is still mounted by other references');
  });

  test("links a block device into the pod's directory", async () => {
    host.files.types.set('/disks/a', 'BlockDevice');
    const { block } = findPlugin(volumePlugins(host), spec());
    const link = '/var/lib/kubelet/pods/u1/volumeDevices/kubernetes.io~local-volume/pv1';
    expect(await block?.mapDevice(spec(), aPod())).toBe(link);
    expect(host.files.links.get(link)).toBe('/disks/a');
    await block?.unmapDevice('pv1', 'u1');
    expect(host.files.links.size).toBe(0);
  });
});

describe('the lookup of plugins', () => {
  test.each<[Omit<Volume, 'name'>, string]>([
    [{ rbd: { monitors: [], image: 'a' } }, 'no volume plugin matched'],
    [{ flexVolume: { driver: 'vendor/none' } }, 'no volume plugin matched'],
    [
      { gitRepo: { repository: 'a' } },
      'no volume plugin matched: this node mounts no gitRepo volumes; a CSI driver can',
    ],
    [{ fc: {} }, 'no volume plugin matched: this node mounts no Fibre Channel volumes; a CSI driver can'],
  ])('rejects a volume type without a plugin: %j', (source, reason) => {
    const volume: Volume = { name: 'vol', ...source };
    expect(() => findPlugin(volumePlugins(host), { name: 'vol', volume, readOnly: false })).toThrow(new Error(reason));
  });
});
