import type { NFSVolumeSource, Pod } from '#lib/api/types/core.v1.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { bracketed } from '#lib/machinery/net/host-port.ts';
import { podVolumeDir } from '../folders.ts';
import type { VolumeHost } from '../host.ts';
import { mountOptions } from '../local/local.ts';
import type { VolumeMounter, VolumePlugin, VolumeSpec } from '../volume.ts';

const NAME = 'kubernetes.io/nfs';
/** The kernel's names for the file system. */
const FILE_SYSTEMS = ['nfs', 'nfs4'];

/** The plugin for exports of NFS servers. The host's mount(8) mounts them for each pod. */
export const nfsPlugin = (host: VolumeHost): VolumePlugin => ({
  name: NAME,
  requiresRemount: false,
  supportsMountOptions: true,
  canSupport: (spec) => sourceOf(spec) !== undefined,
  mounter: async (spec, pod) => mounter(host, spec, pod),
  tearDown: (volumeName, uid) => host.files.cleanUpMountPoint(podVolumeDir(host.rootDirectory, uid, NAME, volumeName)),
});

const sourceOf = ({ volume, persistentVolume }: VolumeSpec): NFSVolumeSource | undefined =>
  volume?.nfs ?? persistentVolume?.spec.nfs;

function mounter(host: VolumeHost, spec: VolumeSpec, pod: Pod): VolumeMounter {
  const source = sourceOf(spec);
  if (source === undefined) throw new Error('Spec does not reference a NFS volume type');
  const readOnly = spec.volume?.nfs === undefined ? spec.readOnly : (source.readOnly ?? false);
  const path = podVolumeDir(host.rootDirectory, pod.metadata.uid ?? '', NAME, spec.name);
  const server = bracketed(source.server);
  const options = [...new Set([...mountOptions(spec), ...(readOnly ? ['ro'] : [])])].toSorted();
  return {
    path,
    attributes: { readOnly, managed: false, seLinuxRelabel: false },
    setUp: async () => {
      if ((await host.mounter.isMountPoint(path)) === true) return;
      await host.files.makeFolder(path, 0o750);
      try {
        await host.mounter.mount({ source: `${server}:${source.path}`, target: path, fsType: 'nfs', options });
      } catch (error) {
        await host.files.cleanUpMountPoint(path).catch(() => undefined); // the mount's error is reported instead
        throw await withModule(host, error);
      }
    },
  };
}

/** Names the missing kernel module in the error, because mount(8) only reports an unknown file system. */
async function withModule({ mounter: mounts }: VolumeHost, error: unknown): Promise<unknown> {
  const known = await mounts.fileSystems();
  if (FILE_SYSTEMS.some((name) => known.includes(name))) return error;
  const why = 'the kernel of this node has no NFS: its module "nfs" is not loaded';
  return new Error(`${messageOfError(error)}\n${why}`, { cause: error });
}
