import { readdir } from 'node:fs/promises';
import type { ConfFolder } from '#lib/node/cni/folder.ts';
import { isAbsent, readBounded } from './files.ts';

/** Maximum bytes of a configuration. */
const MAX = 1 << 20;

/** The folders of network configurations on this host. */
export const hostConfFolder: ConfFolder = {
  async names(folder) {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    } catch (error) {
      if (isAbsent(error)) return [];
      throw error;
    }
  },
  async read(path) {
    const file = await readBounded(path, MAX);
    if (file === undefined) throw new Error(`open ${path}: it is no regular file of at most ${MAX} bytes`);
    return file.bytes;
  },
};
