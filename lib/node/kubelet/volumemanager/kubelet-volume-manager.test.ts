import { beforeEach, describe, expect, test } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { volumePlugins } from '#lib/node/volume/plugins.ts';
import { aPod, MemoryHost } from '#lib/node/volume/testing/memory-host.ts';
import type { VolumePlugin } from '#lib/node/volume/volume.ts';
import { eventually } from '#test/support/eventually.ts';
import { settled } from '#test/support/settled.ts';
import { MemoryPodVolumes } from '../testing/memory-pod-volumes.ts';
import { KubeletVolumeManager } from './kubelet-volume-manager.ts';
import type { ReportedVolumes } from './operations.ts';
import type { VolumeOnDisk } from './pod-folders.ts';
import { AttachLimitExceeded } from './volume-manager.ts';

/** A clock whose sleeps end at once, after everything that is ready to run. An aborted sleep takes no time. */
class PatientClock implements Clock {
  readonly sleeps: number[] = [];
  #time = Date.parse('2026-01-01T00:00:00Z');

  now(): number {
    return this.#time;
  }
  monotonic(): number {
    return this.#time;
  }
  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await settled();
    if (signal?.aborted === true) return;
    this.#time += milliseconds;
    this.sleeps.push(milliseconds);
    during(this.sleeps.length);
  }
}

let host: MemoryHost;
let folders: MemoryPodVolumes;
let clock: PatientClock;
let cleaned: string[];
let log: string[];
let events: string[];
let claims: Map<string, PersistentVolumeClaim>;
let volumes: Map<string, PersistentVolume>;
/** Called in each sleep. */
let during: (sleeps: number) => void;
let manager: KubeletVolumeManager;
/** Plugins in addition to the node's own. */
let others: VolumePlugin[];
let reported: ReportedVolumes;

const restarted = (): KubeletVolumeManager =>
  new KubeletVolumeManager({
    rootDirectory: host.rootDirectory,
    clock,
    plugins: [...others, ...volumePlugins(host)],
    folders,
    subpaths: {
      prepareSafeSubpath: async ({ path }) => path,
      cleanSubPaths: async (dir, name) => void cleaned.push(`${dir} ${name}`),
      safeMakeDir: async () => undefined,
    },
    claims: {
      claim: async (namespace, name) => claims.get(`${namespace}/${name}`),
      volume: async (name) => volumes.get(name),
    },
    reportedVolumes: async () => reported,
    volumesInUseChanged: () => {
      reported = { ...reported, inUse: manager.volumesInUse() };
    },
    nodeLabels: async () => ({ disk: 'ssd' }),
    recorder: { event: (_about, _type, reason, message) => void events.push(`${reason}: ${message}`) },
    patchStatus: async (claim) => claim,
    probePlugins: async () => undefined,
    log: (message) => void log.push(message),
  });

beforeEach(() => {
  host = new MemoryHost();
  folders = new MemoryPodVolumes();
  [cleaned, log, events] = [[], [], []];
  [claims, volumes] = [new Map(), new Map()];
  during = () => undefined;
  others = [];
  reported = { inUse: [], attached: [] };
  clock = new PatientClock();
  manager = restarted();
});

const configVolume: Volume = { name: 'conf', configMap: { name: 'conf', defaultMode: 0o644 } };
const addConfig = (text: string): void => {
  host.configMaps.set('ns/conf', { metadata: { name: 'conf', namespace: 'ns' }, data: { key: text } });
};
const confPath = '/var/lib/kubelet/pods/u1/volumes/kubernetes.io~configmap/conf';

describe('a wait for mounts', () => {
  test('resolves after all volumes of the containers are mounted', async () => {
    addConfig('a');
    const volumeMounts = [configVolume, { name: 'dir' }].map(({ name }) => ({ name, mountPath: `/mnt/${name}` }));
    const pod = aPod({
      volumes: [configVolume, { name: 'dir', emptyDir: {} }, { name: 'unused', secret: { secretName: 'none' } }],
      containers: [{ name: 'app', resources: {}, volumeMounts }],
    });
    await manager.waitForAttachAndMount(pod);
    expect([...manager.mountedVolumes('u1')]).toEqual([
      ['conf', { path: confPath, innerVolumeSpecName: 'conf', readOnly: true, block: false, selinuxRelabel: true }],
      ['dir', expect.objectContaining({ readOnly: false })],
    ]);
    expect(manager.hasPossiblyMountedVolumes('u1')).toBe(true);
  });

  test('resolves at once for a pod without volumes', async () => {
    await manager.waitForAttachAndMount(aPod());
    expect(clock.sleeps).toEqual([]);
  });

  test('fails after 2 minutes and 3 seconds with the names of missing volumes', async () => {
    const pod = aPod({ volumes: [configVolume, { name: 'dir', emptyDir: {} }] });
    await expect(manager.waitForAttachAndMount(pod)).rejects.toThrow(
      new Error(
        'unmounted volumes=[conf], unattached volumes=[], failed to process volumes=[]: context deadline exceeded',
      ),
    );
    expect(clock.sleeps.reduce((sum, time) => sum + time, 0)).toBeGreaterThanOrEqual(123_000);
  });

  test('records each failure once and doubles the delay after each', async () => {
    const times: number[] = [];
    host.objects.configMap = async () => {
      times.push(clock.monotonic());
      return undefined;
    };
    const start = clock.monotonic();
    await expect(manager.waitForAttachAndMount(aPod({ volumes: [configVolume] }))).rejects.toThrow('deadline');
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? start));
    expect(gaps).toEqual([600, 1200, 2100, 4200, 8100, 16_200, 32_100]); // polls every 300 ms
    expect(events).toHaveLength(times.length);
    expect(new Set(events)).toEqual(
      new Set(['FailedMount: MountVolume.SetUp failed for volume "conf" : configmap "conf" not found']),
    );
  });

  test('continues when the object is created', async () => {
    during = (sleeps) => {
      if (sleeps === 10) addConfig('late');
    };
    await manager.waitForAttachAndMount(aPod({ volumes: [configVolume] }));
    expect(host.files.texts(confPath)).toEqual({ key: 'late' });
  });

  test('ends when its signal aborts', async () => {
    const stop = new AbortController();
    during = (sleeps) => {
      if (sleeps === 2) stop.abort();
    };
    const attempt = manager.waitForAttachAndMount(aPod({ volumes: [configVolume] }), stop.signal);
    await expect(attempt).rejects.toThrow(/: context canceled$/);
    expect(clock.sleeps).toHaveLength(2);
  });

  test('refreshes volumes from the API on each call without waiting for them', async () => {
    const pod = aPod({ volumes: [configVolume] });
    addConfig('a');
    await manager.waitForAttachAndMount(pod);
    addConfig('b');
    await manager.waitForAttachAndMount(pod);
    await settled();
    expect(host.files.texts(confPath)).toEqual({ key: 'b' });
    expect(clock.sleeps).toEqual([]);
  });

  test('keeps a mounted volume whose config map was deleted, and reports it', async () => {
    const pod = aPod({ volumes: [configVolume] });
    addConfig('a');
    await manager.waitForAttachAndMount(pod);
    host.configMaps.clear();
    await manager.waitForAttachAndMount(pod);
    await settled();
    expect(events).toHaveLength(1);
    expect(host.files.texts(confPath)).toEqual({ key: 'a' });
  });

  test('rejects an unsupported volume type and mounts the other volumes', async () => {
    addConfig('a');
    const pod = aPod({ volumes: [configVolume, { name: 'share', iscsi: { targetPortal: 'a', iqn: 'i', lun: 0 } }] });
    await expect(manager.waitForAttachAndMount(pod)).rejects.toThrow(
      new Error(
        'unmounted volumes=[conf share], unattached volumes=[], failed to process volumes=[share]: failed to get Plugin from volumeSpec for volume "share" err=no volume plugin matched: this node mounts no iSCSI volumes; a CSI driver can',
      ),
    );
    await settled();
    expect(manager.mountedVolumes('u1').has('conf')).toBe(true);
  });
});

describe('volumes of claims', () => {
  const claimVolume: Volume = { name: 'data', persistentVolumeClaim: { claimName: 'data' } };
  const claim = (change: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim => ({
    metadata: { name: 'data', namespace: 'ns', uid: 'c1' },
    spec: { volumeName: 'pv1', resources: {} },
    status: { phase: 'Bound' },
    ...change,
  });
  const volume = (spec: Partial<PersistentVolume['spec']> = {}): PersistentVolume => ({
    metadata: { name: 'pv1', annotations: { 'pv.beta.kubernetes.io/gid': '555' } },
    spec: { claimRef: { uid: 'c1' }, local: { path: '/disks/a' }, ...spec },
    status: {},
  });
  const pod = (uid = 'u1', more: Partial<Pod['spec']> = {}): Pod => aPod({ uid, volumes: [claimVolume], ...more });
  beforeEach(() => {
    claims.set('ns/data', claim());
    volumes.set('pv1', volume());
    host.files.types.set('/disks/a', 'Directory');
  });

  test('mounts the volume that a claim is bound to and adds its group to the pod', async () => {
    await manager.waitForAttachAndMount(pod());
    expect(manager.mountedVolumes('u1').get('data')).toMatchObject({ innerVolumeSpecName: 'pv1', readOnly: false });
    expect(manager.extraSupplementalGroups(pod())).toEqual([555]);
    expect(manager.extraSupplementalGroups(pod('u1', { securityContext: { supplementalGroups: [555] } }))).toEqual([]);
  });

  test.each<[string, () => void]>([
    ['failed to fetch PVC from API server: persistentvolumeclaims "data" not found', () => claims.clear()],
    ['PVC is not bound', () => claims.set('ns/data', claim({ status: { phase: 'Pending' } }))],
    ['PVC has empty pvc.Spec.VolumeName', () => claims.set('ns/data', claim({ spec: { resources: {} } }))],
    [
      'PVC is being deleted',
      () => claims.set('ns/data', claim({ metadata: { name: 'data', deletionTimestamp: '2026-01-01T00:00:00Z' } })),
    ],
    ['failed to fetch PV pv1 from API server: persistentvolumes "pv1" not found', () => volumes.clear()],
    [
      'found PV object pv1 but its pv.Spec.ClaimRef.UID c2 does not point to claim.UID c1',
      () => volumes.set('pv1', volume({ claimRef: { uid: 'c2' } })),
    ],
  ])('rejects a claim: %s', async (reason, change) => {
    change();
    await expect(manager.waitForAttachAndMount(pod())).rejects.toThrow(
      new Error(
        `unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]: error processing PVC ns/data: ${reason}`,
      ),
    );
    expect(clock.sleeps).toEqual([]);
  });

  test('mounts a claim that is being deleted while it is protected', async () => {
    const metadata = { name: 'data', namespace: 'ns', uid: 'c1', deletionTimestamp: '2026-01-01T00:00:00Z' };
    claims.set('ns/data', claim({ metadata: { ...metadata, finalizers: ['kubernetes.io/pvc-protection'] } }));
    await expect(manager.waitForAttachAndMount(pod())).resolves.toBeUndefined();
  });

  test("requires that an ephemeral volume's claim belongs to the pod", async () => {
    const ephemeral: Volume = { name: 'data', ephemeral: {} };
    claims.set('ns/web-data', claim({ metadata: { name: 'web-data', namespace: 'ns', uid: 'c1' } }));
    await expect(manager.waitForAttachAndMount(aPod({ volumes: [ephemeral] }))).rejects.toThrow(
      /: PVC ns\/web-data was not created for pod ns\/web \(pod is not owner\)$/,
    );
  });

  test('maps a block volume of a claim as a device without a mount', async () => {
    volumes.set('pv1', volume({ volumeMode: 'Block' }));
    await expect(manager.waitForAttachAndMount(pod())).rejects.toThrow(
      /volume data has volumeMode Block, but is specified in volumeMounts$/,
    );
    host.files.types.set('/disks/a', 'BlockDevice');
    const containers = [{ name: 'app', resources: {}, volumeDevices: [{ name: 'data', devicePath: '/dev/x' }] }];
    await manager.waitForAttachAndMount(pod('u1', { containers }));
    expect(manager.mountedVolumes('u1').get('data')).toMatchObject({
      block: true,
      path: '/var/lib/kubelet/pods/u1/volumeDevices/kubernetes.io~local-volume/pv1',
    });
  });

  test.each([
    [
      'on another node',
      {
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['hdd'] }] }] },
        },
      },
      'MountVolume.NodeAffinity check failed for volume "pv1" : no matching NodeSelectorTerms',
    ],
    [
      'with mount options that its type does not support',
      { local: undefined, hostPath: { path: '/disks/a' }, mountOptions: ['noatime'] },
      'MountVolume.MountOptionSupport check failed for volume "pv1" : mount options are not supported for this volume type',
    ],
  ])('fails for a claim of a volume %s', async (_, spec, event) => {
    const { local, ...rest } = { ...volume().spec, ...spec };
    volumes.set('pv1', { ...volume(), spec: local === undefined ? rest : { ...rest, local } });
    await expect(manager.waitForAttachAndMount(pod())).rejects.toThrow('deadline');
    expect(events[0]).toBe(`FailedMount: ${event}`);
  });

  test('delays a ReadWriteOncePod claim until the other pod is gone', async () => {
    volumes.set('pv1', volume({ accessModes: ['ReadWriteOncePod'] }));
    await manager.waitForAttachAndMount(pod('u1'));
    await expect(manager.waitForAttachAndMount(pod('u2'))).rejects.toThrow('unmounted volumes=[data]');
    expect(events[0]).toBe(
      'FailedMount: MountVolume.SetUp failed for volume "pv1" : volume uses the ReadWriteOncePod access mode and is already in use by another pod',
    );
    await manager.waitForUnmount(pod('u1'));
    await manager.waitForAttachAndMount(pod('u2'));
    expect(manager.mountedVolumes('u2').size).toBe(1);
  });

  test('unmounts the device of a claim with its last pod', async () => {
    host.files.types.set('/disks/a', 'BlockDevice');
    const device = '/var/lib/kubelet/plugins/kubernetes.io/local-volume/mounts/pv1';
    await manager.waitForAttachAndMount(pod('u1'));
    await manager.waitForAttachAndMount(pod('u2'));
    await manager.waitForUnmount(pod('u1'));
    await settled();
    expect(host.files.types.has(device)).toBe(true);
    await manager.waitForUnmount(pod('u2'));
    await settled();
    expect(host.files.types.has(device)).toBe(false);
  });
});

describe('a wait for unmounts', () => {
  test('cleans subpaths before it removes a volume', async () => {
    addConfig('a');
    const pod = aPod({ volumes: [configVolume] });
    await manager.waitForAttachAndMount(pod);
    await manager.waitForUnmount(pod);
    expect(cleaned).toEqual(['/var/lib/kubelet/pods/u1 conf']);
    expect([
      host.files.projections.size,
      manager.hasPossiblyMountedVolumes('u1'),
      manager.mountedVolumes('u1').size,
    ]).toEqual([0, false, 0]);
  });

  test('reports the mounted volumes after 2 minutes and 3 seconds', async () => {
    const pod = aPod({ volumes: [{ name: 'dir', emptyDir: { medium: 'Memory' } }] });
    await manager.waitForAttachAndMount(pod);
    host.mounter.unmount = async () => {
      throw new Error('unmount failed: exit status 32');
    };
    await expect(manager.waitForUnmount(pod)).rejects.toThrow(
      new Error('mounted volumes=[kubernetes.io/empty-dir/u1-dir]: context deadline exceeded'),
    );
    expect(log[0]).toBe('pod u1: UnmountVolume.TearDown failed for volume "dir" : unmount failed: exit status 32');
  });
});

describe('reconstruction after a restart', () => {
  const onDisk = (plugin: string, name: string): VolumeOnDisk => ({ plugin, name, path: `/x/${name}`, block: false });

  test('treats volumes on disk as uncertain, and mounts them again for an existing pod', async () => {
    addConfig('a');
    folders.pods.set('u1', [onDisk('kubernetes.io/configmap', 'conf')]);
    await manager.reconstruct();
    expect([manager.hasPossiblyMountedVolumes('u1'), manager.mountedVolumes('u1').size]).toEqual([true, 0]);
    await manager.waitForAttachAndMount(aPod({ volumes: [configVolume] }));
    expect(manager.mountedVolumes('u1').size).toBe(1);
  });

  test('retries a device that is still in use with the next cleanup', async () => {
    const global = '/var/lib/kubelet/plugins/kubernetes.io/local-volume/mounts/pv1';
    for (const target of [global, '/elsewhere'])
      await host.mounter.mount({ source: target === global ? '/dev/x' : global, target, fsType: '', options: [] });
    host.files.types.set(global, 'Directory');
    folders.pods.set('gone', [onDisk('kubernetes.io/local-volume', 'pv1')]);
    await manager.reconstruct();
    await manager.cleanupOrphans(new Set());
    await settled();
    expect(log.at(-1)).toContain('is still mounted by other references [/elsewhere]');
    await host.mounter.unmount('/elsewhere');
    await clock.sleep(1000);
    await manager.cleanupOrphans(new Set());
    await settled();
    expect(await host.mounter.isMountPoint(global)).toBe(false);
  });

  test('removes volumes and directories of unknown pods and keeps those of known pods', async () => {
    for (const uid of ['gone', 'kept']) folders.pods.set(uid, [onDisk('kubernetes.io/empty-dir', 'dir')]);
    folders.subpaths.set('gone', ['host']);
    const path = '/var/lib/kubelet/pods/gone/volumes/kubernetes.io~empty-dir/dir';
    host.files.types.set(path, 'Directory');
    await manager.reconstruct();
    await manager.cleanupOrphans(new Set(['kept']));
    expect([...folders.pods.keys()]).toEqual(['kept']);
    expect(host.files.types.has(path)).toBe(false);
    expect(cleaned).toEqual(['/var/lib/kubelet/pods/gone dir', '/var/lib/kubelet/pods/gone host']);
  });

  test('does not treat a pod as orphaned while its volumes are being mounted', async () => {
    folders.pods.set('u1', []);
    let cleanUp: Promise<void> | undefined;
    during = (sleeps) => {
      if (sleeps === 2) cleanUp = manager.cleanupOrphans(new Set());
      if (sleeps === 4) addConfig('late');
    };
    await manager.waitForAttachAndMount(aPod({ volumes: [configVolume] }));
    await cleanUp;
    expect([folders.pods.has('u1'), manager.mountedVolumes('u1').size]).toEqual([true, 1]);
  });

  test('keeps a directory while it contains a mount', async () => {
    folders.pods.set('gone', []);
    folders.stuck.add('gone');
    await manager.cleanupOrphans(new Set());
    expect(folders.pods.has('gone')).toBe(true);
    expect(log).toEqual(['orphaned pod "gone" found, but volumes are not cleaned up']);
  });

  test('leaves a volume of a removed type and reports it', async () => {
    folders.pods.set('u1', [onDisk('kubernetes.io/flocker', 'x')]);
    await manager.reconstruct();
    expect(log).toEqual([
      'could not reconstruct volume "x" of pod u1: no volume plugin matched name: kubernetes.io/flocker',
    ]);
  });
});

test('waits until the controller has attached a volume that the node reports as in use', async () => {
  const calls: string[] = [];
  others = [
    {
      name: 'example.com/net',
      requiresRemount: false,
      supportsMountOptions: false,
      canSupport: ({ volume }) => volume?.csi !== undefined,
      sharedName: () => 'disk',
      attach: { canAttach: async () => true, waitForAttach: async () => void calls.push('attached') },
      device: {
        deviceMountPath: async () => '/device',
        mountDevice: async () => {
          calls.push('mounted');
          if (calls.length === 2) throw new Error('busy');
        },
        unmountDevice: async () => void calls.push('unmounted'),
      },
      mounter: async () => ({
        path: '/data',
        attributes: { readOnly: false, managed: true, seLinuxRelabel: false, republish: true },
        setUp: async ({ isRemount }) => void calls.push(`set up, again: ${isRemount}`),
      }),
      tearDown: async () => void calls.push('torn down'),
    },
  ];
  manager = restarted();
  const pod = aPod({ volumes: [{ name: 'data', csi: { driver: 'd' } }] });
  await expect(manager.waitForAttachAndMount(pod)).rejects.toThrow(
    'unmounted volumes=[data], unattached volumes=[data], failed to process volumes=[]: context deadline exceeded',
  );
  expect(events).toEqual([]);
  expect(reported.inUse).toEqual(['example.com/net/disk']);
  during = () => {
    reported = { ...reported, attached: ['example.com/net/disk'] };
    void manager.cleanupOrphans(new Set(['u1']));
  };
  await expect(manager.waitForAttachAndMount(pod)).rejects.toThrow('unmounted volumes=[data], unattached volumes=[],');
  await manager.waitForAttachAndMount(pod);
  await manager.waitForAttachAndMount(pod);
  await eventually(() => expect(calls).toHaveLength(6)); // republishing runs in the background
  expect(calls).toEqual(['attached', 'mounted', 'attached', 'mounted', 'set up, again: false', 'set up, again: true']);
  await manager.waitForUnmount(pod);
  await manager.cleanupOrphans(new Set());
  expect(calls.slice(6)).toEqual(['torn down', 'unmounted']);
  expect(reported.inUse).toEqual([]);
});

test('reports that the node has too many volumes if the attacher failed for that reason', async () => {
  let isFull = false;
  others = [
    {
      name: 'example.com/net',
      requiresRemount: false,
      supportsMountOptions: false,
      canSupport: ({ volume }) => volume?.csi !== undefined,
      sharedName: () => 'disk',
      attach: {
        canAttach: async () => true,
        waitForAttach: async () => undefined,
        verifyExhaustedResource: async () => isFull,
      },
      mounter: async () => Promise.reject(new Error('it is never attached')),
      tearDown: async () => undefined,
    },
  ];
  manager = restarted();
  const pod = aPod({ volumes: [{ name: 'data', csi: { driver: 'd' } }] });
  const missing =
    'unmounted volumes=[data], unattached volumes=[data], failed to process volumes=[]: context deadline exceeded';
  await expect(manager.waitForAttachAndMount(pod)).rejects.toEqual(new Error(missing));
  isFull = true;
  await expect(manager.waitForAttachAndMount(pod)).rejects.toEqual(new AttachLimitExceeded(missing));
});

test('expands a volume in use when its claim has grown, and retries without another sync', async () => {
  const grown: string[] = [];
  others = [
    {
      name: 'example.com/net',
      requiresRemount: false,
      supportsMountOptions: false,
      canSupport: ({ persistentVolume }) => persistentVolume !== undefined,
      sharedName: () => 'disk',
      expand: async ({ oldSize, newSize }) => {
        grown.push(`${oldSize} to ${newSize}`);
        if (grown.length === 1) throw new Error('busy');
      },
      mounter: async () => ({
        path: '/data',
        attributes: { readOnly: false, managed: true, seLinuxRelabel: false },
        setUp: async () => undefined,
      }),
      tearDown: async () => undefined,
    },
  ];
  manager = restarted();
  const size = (storage: string): void => {
    claims.set('ns/data', {
      metadata: { name: 'data', namespace: 'ns', uid: 'c1' },
      spec: { volumeName: 'pv1', resources: {} },
      status: { phase: 'Bound', capacity: { storage: '1Gi' } },
    });
    volumes.set('pv1', {
      metadata: { name: 'pv1' },
      spec: {
        claimRef: { uid: 'c1', namespace: 'ns', name: 'data' },
        capacity: { storage },
        csi: { driver: 'd', volumeHandle: 'h' },
      },
      status: {},
    });
  };
  size('1Gi');
  const pod = aPod({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] });
  await manager.waitForAttachAndMount(pod);
  await settled();
  expect(grown).toEqual([]);
  size('2Gi');
  await manager.waitForAttachAndMount(pod);
  await eventually(() => expect(events).toHaveLength(1));
  expect(events).toEqual(['VolumeResizeFailed: NodeExpandVolume.NodeExpandVolume failed for volume "pv1" : busy']);
  await clock.sleep(600);
  for (let count = 0; count < 3; count++) {
    await manager.cleanupOrphans(new Set(['u1']));
    await settled();
  }
  expect(grown).toEqual(['1Gi to 2Gi', '1Gi to 2Gi']);
});
