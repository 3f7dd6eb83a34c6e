import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PersistentVolume, Pod, Volume } from '#lib/api/types/core.v1.ts';
import { KubeletVolumeManager } from '#lib/node/kubelet/volumemanager/kubelet-volume-manager.ts';
import { volumePlugins } from '#lib/node/volume/plugins.ts';
import { aPod, MemoryHost } from '#lib/node/volume/testing/memory-host.ts';
import { privateMounts } from '../../../../test/support/private-mounts.ts';
import { systemClock } from '../../../clock.ts';
import { HostMounter } from './mounter.ts';
import { HostPodFolders } from './pod-folders.ts';
import { HostSubpath } from './subpath.ts';
import { HostVolumeFiles } from './volume-files.ts';

const mounter = new HostMounter();
const subpaths = new HostSubpath(mounter);
let root: string;
let kubelet: string;
let memory: MemoryHost;
let log: string[];
let local: string;
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'davit-pods-'));
  kubelet = join(root, 'kubelet');
  memory = new MemoryHost();
  log = [];
  local = join(root, 'disk');
  mkdirSync(local);
  memory.secrets.set('ns/creds', { metadata: { name: 'creds', namespace: 'ns' }, data: { password: 'c2VjcmV0' } });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const persistentVolume = (): PersistentVolume => ({
  metadata: { name: 'pv1' },
  spec: { claimRef: { uid: 'c1' }, local: { path: local } },
  status: {},
});

/** The volume manager of a restarted process. */
function started(): KubeletVolumeManager {
  const { objects, fields } = memory;
  const plugins = volumePlugins({
    rootDirectory: kubelet,
    clock: systemClock,
    files: new HostVolumeFiles(mounter),
    mounter,
    objects,
    fields,
    tmpfsNoSwap: false,
    nodeAllocatableMemory: async () => 1 << 20,
    warn: () => undefined,
  });
  return new KubeletVolumeManager({
    rootDirectory: kubelet,
    clock: systemClock,
    plugins,
    folders: new HostPodFolders(kubelet, mounter),
    subpaths,
    claims: {
      claim: async () => ({
        metadata: { uid: 'c1' },
        spec: { volumeName: 'pv1', resources: {} },
        status: { phase: 'Bound' },
      }),
      volume: async () => persistentVolume(),
    },
    reportedVolumes: async () => ({ inUse: [], attached: [] }),
    volumesInUseChanged: () => undefined,
    nodeLabels: async () => ({}),
    recorder: { event: (_about, _type, _reason, message) => void log.push(message) },
    patchStatus: async (claim) => claim,
    probePlugins: async () => undefined,
    log: (message) => void log.push(message),
  });
}

const secret: Volume = { name: 'creds', secret: { secretName: 'creds', defaultMode: 0o400 } };
const data: Volume = { name: 'data', persistentVolumeClaim: { claimName: 'data' } };
const work: Volume = { name: 'work', emptyDir: {} };
const pod = (): Pod => aPod({ volumes: [secret, data, work], securityContext: { fsGroup: 4321, runAsUser: 1234 } });
const mountsHere = async (): Promise<string[]> =>
  (await mounter.list()).map(({ mountPoint }) => mountPoint).filter((path) => path.startsWith(root));

describe('volumes of a pod on this host', privateMounts(), () => {
  test('are mounted, survive a restart and are removed completely, without the data of the claim', async () => {
    const manager = started();
    await manager.waitForAttachAndMount(pod());
    const paths = [...manager.mountedVolumes('u1').values()].map(({ path }) => path);
    const [creds = '', disk = '', folder = ''] = paths;
    expect(readFileSync(join(creds, 'password'), 'utf8')).toBe('secret');
    expect([
      lstatSync(join(creds, '..data', 'password')).mode & 0o777,
      lstatSync(join(creds, '..data', 'password')).gid,
    ]).toEqual([0o440, 4321]);
    expect(execFileSync('stat', ['-f', '-c', '%T', creds], { encoding: 'utf8' }).trim()).toBe('tmpfs');
    writeFileSync(join(disk, 'row'), 'precious');
    writeFileSync(join(folder, 'scratch'), '');
    const where = { volumeName: 'pv1', volumePath: disk, podDir: join(kubelet, 'pods', 'u1'), containerName: 'app' };
    await subpaths.prepareSafeSubpath({ ...where, volumeMountIndex: 1, path: join(disk, 'row') });
    expect(await mountsHere()).toHaveLength(3);

    const next = started();
    await next.reconstruct();
    expect(next.hasPossiblyMountedVolumes('u1')).toBe(true);
    await next.waitForAttachAndMount(pod());
    expect(await mountsHere()).toHaveLength(3);
    await next.waitForUnmount(pod());
    expect(await mountsHere()).toEqual([]);
    await next.cleanupOrphans(new Set());
    expect(readdirSync(join(kubelet, 'pods'))).toEqual([]);
    expect([readdirSync(local), log]).toEqual([['row'], []]);
  });

  test('are cleaned up for a pod deleted while the agent was down', async () => {
    await started().waitForAttachAndMount(pod());
    const next = started();
    await next.reconstruct();
    await next.cleanupOrphans(new Set());
    expect([await mountsHere(), readdirSync(join(kubelet, 'pods')), log]).toEqual([[], [], []]);
  });

  test('stay with their folder while an unknown mount is in it', async () => {
    const stranger = join(kubelet, 'pods', 'u1', 'volumes', 'kubernetes.io~empty-dir', 'work', 'mnt');
    await started().waitForAttachAndMount(pod());
    writeFileSync(join(local, 'row'), 'precious');
    mkdirSync(stranger);
    await mounter.mount({ source: local, target: stranger, fsType: '', options: ['bind'] });
    const next = started();
    await next.cleanupOrphans(new Set());
    expect(existsSync(join(local, 'row'))).toBe(true);
    expect(log).toEqual([
      `pod u1: UnmountVolume.TearDown failed for volume "work" : cannot delete directory ${stranger}: it is a mount point`,
      'orphaned pod "u1" found, but volumes are not cleaned up',
    ]);
    await mounter.unmount(stranger);
  });

  test('are not removed as orphans if their folder has files that no volume created', async () => {
    const stray = join(kubelet, 'pods', 'u1', 'volumes', 'kubernetes.io~gone', 'x');
    mkdirSync(stray, { recursive: true });
    writeFileSync(join(stray, 'file'), '');
    await started().cleanupOrphans(new Set());
    expect(existsSync(join(stray, 'file'))).toBe(true);
    expect(log.at(-1)).toContain(
      `orphaned pod "u1" found, but failed to rmdir() volume at path ${stray}: directory not empty`,
    );
  });
});
