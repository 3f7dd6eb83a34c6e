import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { RotatedLogs } from '#lib/kubelet/logs/container-log-rotation.ts';

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** The files of container logs on this machine. */
export const rotatedLogs: RotatedLogs = {
  async size(path) {
    try {
      return (await stat(path)).size;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  },
  async beginningWith(prefix) {
    const folder = dirname(prefix);
    try {
      const names = await readdir(folder);
      return names.filter((name) => name.startsWith(basename(prefix))).map((name) => join(folder, name));
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  },
  remove: (path) => rm(path, { force: true }),
  rename,
  async compress(from, to) {
    const { mode } = await stat(from);
    await pipeline(createReadStream(from), createGzip(), createWriteStream(to, { mode: mode & 0o777 }));
  },
};
