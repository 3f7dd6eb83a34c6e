import type { HostPathVolumeSource } from '#lib/api/types/core.v1.ts';
import type { FileType, VolumeFiles } from '../files.ts';
import type { VolumeHost } from '../host.ts';
import type { VolumePlugin, VolumeSpec } from '../volume.ts';

const WANTED: Readonly<Record<string, { readonly type: FileType; readonly text: string }>> = {
  Directory: { type: 'Directory', text: 'a directory' },
  DirectoryOrCreate: { type: 'Directory', text: 'a directory' },
  File: { type: 'File', text: 'a file' },
  FileOrCreate: { type: 'File', text: 'a file' },
  Socket: { type: 'Socket', text: 'a socket file' },
  CharDevice: { type: 'CharDevice', text: 'a character device' },
  BlockDevice: { type: 'BlockDevice', text: 'a block device' },
};
const [FOLDER_MODE, FILE_MODE] = [0o755, 0o644];

/** The plugin for `hostPath` volumes, of a pod or a persistent volume. The path is used directly, without a mount. */
export const hostPathPlugin = (host: VolumeHost): VolumePlugin => ({
  name: 'kubernetes.io/host-path',
  requiresRemount: false,
  supportsMountOptions: false,
  canSupport: (spec) => sourceOf(spec) !== undefined,
  mounter: async (spec) => {
    const { path, type = '' } = sourceOf(spec) ?? { path: '' };
    return {
      path,
      attributes: { readOnly: spec.readOnly, managed: false, seLinuxRelabel: false },
      setUp: async () => {
        if (path.split('/').includes('..')) throw new Error(`invalid HostPath \`${path}\`: must not contain '..'`);
        if (type !== '') await checkType(host.files, path, type);
      },
    };
  },
  tearDown: async () => undefined,
});

const sourceOf = ({ volume, persistentVolume }: VolumeSpec): HostPathVolumeSource | undefined =>
  volume?.hostPath ?? persistentVolume?.spec.hostPath;

/** Creates a missing file or directory if the type requests it. Throws if the path has another type, or the type is unknown. */
async function checkType(files: VolumeFiles, path: string, type: string): Promise<void> {
  const found = await files.fileType(path);
  if (found === undefined && type === 'DirectoryOrCreate') return files.makeFolder(path, FOLDER_MODE);
  if (found === undefined && type === 'FileOrCreate') return files.makeFile(path, FILE_MODE);
  const wanted = Object.hasOwn(WANTED, type) ? WANTED[type] : undefined;
  if (wanted === undefined) throw new Error(`${type} is an invalid volume type`);
  if (found !== wanted.type) throw new Error(`hostPath type check failed: ${path} is not ${wanted.text}`);
  return undefined;
}
