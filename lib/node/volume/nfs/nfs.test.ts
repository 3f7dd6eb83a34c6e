import { beforeEach, expect, test } from 'vitest';
import { aPod, MemoryHost } from '../testing/memory-host.ts';
import type { VolumeSpec } from '../volume.ts';
import { nfsPlugin } from './nfs.ts';

const PATH = '/var/lib/kubelet/pods/u1/volumes/kubernetes.io~nfs/share';
let host: MemoryHost;
beforeEach(() => {
  host = new MemoryHost();
});

const share: VolumeSpec = {
  name: 'share',
  volume: { name: 'share', nfs: { server: 'fd00::1', path: '/exports/a', readOnly: true } },
  readOnly: false,
};
const claimed: VolumeSpec = {
  name: 'share',
  persistentVolume: {
    metadata: { name: 'share' },
    spec: { nfs: { server: 'files', path: '/' }, mountOptions: ['nfsvers=4.2', 'hard'] },
    status: {},
  },
  readOnly: false,
};

test.each([
  [share, '[fd00::1]:/exports/a', ['ro']],
  [claimed, 'files:/', ['hard', 'nfsvers=4.2']],
])('mounts an export once with its options, and unmounts it', async (spec, source, options) => {
  const plugin = nfsPlugin(host);
  const mounter = await plugin.mounter(spec, aPod());
  await mounter.setUp({ fsGroup: 7 });
  await mounter.setUp({ fsGroup: 7 });
  expect(host.mounter.mounts).toEqual([{ source, target: PATH, fsType: 'nfs', options }]);
  expect([mounter.attributes.managed, host.files.owned]).toEqual([false, []]);
  await plugin.tearDown('share', 'u1');
  expect([host.mounter.mounts, host.files.types.has(PATH)]).toEqual([[], false]);
});

test.each([
  [['ext4'], 'mount failed: exit status 32\nthe kernel of this node has no NFS: its module "nfs" is not loaded'],
  [['ext4', 'nfs4'], 'mount failed: exit status 32'],
])('names the missing module if the kernel supports %j', async (known, reason) => {
  host.mounter.failure = 'mount failed: exit status 32';
  host.mounter.known = known;
  const mounter = await nfsPlugin(host).mounter(share, aPod());
  await expect(mounter.setUp({})).rejects.toThrow(new Error(reason));
  expect(host.files.types.has(PATH)).toBe(false);
});
