import type { LocalVolumeSource, Pod } from '#lib/api/types/core.v1.ts';
import { globalMountDir, podsDir, podVolumeDeviceDir, podVolumeDir } from '../folders.ts';
import type { VolumeHost } from '../host.ts';
import { joinPath, pathWithinBase } from '../mount/path.ts';
import type {
  BlockPlugin,
  DevicePlugin,
  Expansion,
  MounterArgs,
  VolumeMounter,
  VolumePlugin,
  VolumeSpec,
} from '../volume.ts';

const NAME = 'kubernetes.io/local-volume';
const DEFAULT_FS_TYPE = 'ext4';

/** The plugin for `local` persistent volumes: a directory on the node, or a device, which is mounted or used as a block device. */
export const localPlugin = (host: VolumeHost): VolumePlugin => ({
  name: NAME,
  requiresRemount: false,
  supportsMountOptions: true,
  device: devicePlugin(host),
  block: blockPlugin(host),
  expand: (expansion) => expand(host, expansion),
  canSupport: (spec) => sourceOf(spec) !== undefined,
  mounter: (spec, pod) => mounter(host, spec, pod),
  tearDown: (volumeName, uid) => host.files.cleanUpMountPoint(podVolumeDir(host.rootDirectory, uid, NAME, volumeName)),
});

const sourceOf = ({ persistentVolume }: VolumeSpec): LocalVolumeSource | undefined => persistentVolume?.spec.local;

/** The source path for the bind mounts of pods: the directory, or the mount path of the device. */
async function globalPath(host: VolumeHost, spec: VolumeSpec): Promise<string> {
  const path = sourceOf(spec)?.path ?? '';
  if (path === '') throw new Error('local volume source is nil or local path is not set');
  const type = await host.files.fileType(path);
  if (type === undefined) throw new Error(`path ${JSON.stringify(path)} does not exist`);
  if (type === 'Directory') return path;
  if (type === 'BlockDevice') return joinPath(globalMountDir(host.rootDirectory, NAME), spec.name);
  throw new Error('only directory and block device are supported');
}

async function mounter(host: VolumeHost, spec: VolumeSpec, pod: Pod): Promise<VolumeMounter> {
  const source = await globalPath(host, spec);
  const path = podVolumeDir(host.rootDirectory, pod.metadata.uid ?? '', NAME, spec.name);
  return {
    path,
    attributes: { readOnly: spec.readOnly, managed: !spec.readOnly, seLinuxRelabel: true },
    setUp: (args) => bind(host, { spec, pod, source, path }, args),
  };
}

/** Expands the file system of a device. A directory needs no action. */
async function expand(host: VolumeHost, { spec, pod, block }: Expansion): Promise<void> {
  const path = sourceOf(spec)?.path ?? '';
  if (block || (await host.files.fileType(path)) !== 'BlockDevice') return;
  await host.mounter.resizeFs(path, podVolumeDir(host.rootDirectory, pod.metadata.uid ?? '', NAME, spec.name));
}

interface Binding {
  readonly spec: VolumeSpec;
  readonly pod: Pod;
  readonly source: string;
  readonly path: string;
}

async function bind(host: VolumeHost, { spec, pod, source, path }: Binding, args: MounterArgs): Promise<void> {
  if (source.split('/').includes('..')) throw new Error(`invalid path: ${source} must not contain '..'`);
  if ((await host.mounter.isMountPoint(path)) === true) return;
  const refs = await host.mounter.mountRefs(source);
  if (args.fsGroup !== undefined) await warnOfGroup(host, { spec, pod, source, path }, refs, args.fsGroup);
  await host.files.makeFolder(path, 0o750);
  const options = [...new Set(['bind', ...(spec.readOnly ? ['ro'] : []), ...mountOptions(spec)])];
  try {
    await host.mounter.mount({ source, target: path, fsType: '', options });
  } catch (error) {
    await host.files.cleanUpMountPoint(path);
    throw error;
  }
  // Only the first mount sets the owner. Later pods reuse it.
  if (spec.readOnly || refs.length > 0 || args.fsGroup === undefined) return;
  const { fsGroup, fsGroupChangePolicy: policy } = args;
  await host.files.changeOwnership(path, { fsGroup, readOnly: false, ...(policy === undefined ? {} : { policy }) });
}

async function warnOfGroup(
  host: VolumeHost,
  { spec, pod, source }: Binding,
  refs: readonly string[],
  fsGroup: number,
): Promise<void> {
  const pods = podsDir(host.rootDirectory);
  if (!refs.some((ref) => pathWithinBase(ref, pods))) return;
  const group = await host.files.groupOf(source);
  if (group === fsGroup) return;
  const message = `The requested fsGroup is ${fsGroup}, but the volume ${spec.name} has GID ${group}. The volume may not be shareable.`;
  host.warn(pod, 'AlreadyMountedVolume', message);
}

/** The mount options of a persistent volume. */
export function mountOptions({ persistentVolume }: VolumeSpec): readonly string[] {
  const annotation = persistentVolume?.metadata.annotations?.['volume.beta.kubernetes.io/mount-options'];
  return annotation === undefined ? (persistentVolume?.spec.mountOptions ?? []) : annotation.split(',');
}

const devicePlugin = (host: VolumeHost): DevicePlugin => ({
  deviceMountPath: (spec) => globalPath(host, spec),
  mountDevice: async (spec, deviceMountPath) => {
    const { path = '', fsType = DEFAULT_FS_TYPE } = sourceOf(spec) ?? {};
    if (deviceMountPath === path || (await host.mounter.isMountPoint(deviceMountPath)) === true) return;
    await host.files.makeFolder(deviceMountPath, 0o750);
    const options = [...new Set([...(spec.readOnly ? ['ro'] : []), ...mountOptions(spec)])];
    try {
      await host.mounter.formatAndMount({ source: path, target: deviceMountPath, fsType, options });
    } catch (error) {
      await host.files.cleanUpMountPoint(deviceMountPath);
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(
        `local: failed to mount device ${path} at ${deviceMountPath} (fstype: ${fsType}), error ${reason}`,
        { cause: error },
      );
    }
  },
  unmountDevice: async (volumeName) => {
    const deviceMountPath = joinPath(globalMountDir(host.rootDirectory, NAME), volumeName);
    if ((await host.mounter.isMountPoint(deviceMountPath)) !== true) return;
    const refs = await host.mounter.mountRefs(deviceMountPath);
    if (refs.length > 0)
      throw new Error(
        `the device mount path ${JSON.stringify(deviceMountPath)} is still mounted by other references [${refs.join(' ')}]`,
      );
    await host.files.cleanUpMountPoint(deviceMountPath);
  },
});

const blockPlugin = (host: VolumeHost): BlockPlugin => ({
  mapDevice: async (spec, pod) => {
    const device = sourceOf(spec)?.path ?? '';
    const type = await host.files.fileType(device);
    if (type !== 'BlockDevice') throw new Error(`${device} is not a block device`);
    const link = podVolumeDeviceDir(host.rootDirectory, pod.metadata.uid ?? '', NAME, spec.name);
    await host.files.linkDevice(device, link);
    return link;
  },
  unmapDevice: (volumeName, podUid) =>
    host.files.removeTree(podVolumeDeviceDir(host.rootDirectory, podUid, NAME, volumeName)),
});
