import { constants } from 'node:fs';
import { access, chmod, mkdir, open, readdir, rm, symlink } from 'node:fs/promises';
import type { ContainerFiles } from '#lib/node/kubelet/kuberuntime/container-files.ts';
import { ifMissing } from '../records/path-error.ts';
import { HostMounter } from '../volumes/mounter.ts';
import { removeTree } from '../volumes/remove-tree.ts';

const mounter = new HostMounter();

/** The log files of containers on this machine. */
export const hostContainerFiles: ContainerFiles = {
  async makeFolder(path) {
    await mkdir(path, { recursive: true, mode: 0o755 });
  },
  list: async (folder) => (await readdir(folder).catch(ifMissing)) ?? [],
  exists: (path) =>
    access(path).then(
      () => true,
      () => false,
    ),
  symlink: (target, link) => symlink(target, link),
  remove: (path) => rm(path, { force: true }),
  removeAll: (folder) => removeTree(folder, mounter),
  async createWritable(path) {
    const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o666);
    await file.close();
    await chmod(path, 0o666); // the umask cleared bits of the mode
  },
  readTail,
};

async function readTail(path: string, bytes: number): Promise<string | undefined> {
  // The path is in a folder to which a container can write. A pipe or a link in its place is not followed.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch(ifMissing);
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return undefined;
    const start = Math.max(0, stats.size - bytes);
    const buffer = Buffer.alloc(Math.min(bytes, stats.size));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
