import { constants } from 'node:fs';
import { access, chmod, lstat, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import type { PodFiles } from '#lib/kubelet/kubelet-pods/pod-files.ts';
import { joinPath } from '#lib/volume/mount/path.ts';
import { pathErrorText } from './path-error.ts';
import { safeOpen } from './safe-open.ts';

/** Bytes of a file that a container's environment comes from. */
const LARGEST = 1024 * 1024;

/** For `catch`: throws with Go's words. */
const inGo = (error: unknown): never => {
  throw new Error(pathErrorText(error), { cause: error });
};

/** The files that pods get from the agent, on this machine. */
export const hostPodFiles: PodFiles = {
  read: (path) => readFile(path).catch(inGo),
  async readBelow(folder, path) {
    const parent = await safeOpen(joinPath(folder, path), folder);
    try {
      const { size } = await parent.stat();
      if (size > LARGEST) throw new Error(`open ${path}: file too large`);
      return await readFile(`/proc/self/fd/${parent.fd}`);
    } finally {
      await parent.close();
    }
  },
  async write(path, content, mode) {
    await writeFile(path, content, { mode }).catch(inGo);
    await chmod(path, mode);
  },
  async makeFolder(path, mode) {
    await mkdir(path, { recursive: true, mode }).catch(inGo);
  },
  exists: (path) =>
    access(path, constants.F_OK).then(
      () => true,
      () => false,
    ),
  modeOf: async (path) => (await stat(path).catch(inGo)).mode & 0o7777,
  isLink: async (path) => (await lstat(path).catch(inGo)).isSymbolicLink(),
};
