import { constants } from 'node:fs';
import { lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { quote } from '#lib/machinery/go.ts';
import type { RotatedLogs } from '#lib/node/kubelet/logs/container-log-rotation.ts';
import { isMissing } from '../records/path-error.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/**
 * The files of container logs on this machine. A container may have replaced a file with a link or a pipe, which is neither read nor
 * written.
 */
export const rotatedLogs: RotatedLogs = {
  async size(path) {
    try {
      return (await lstat(path)).size;
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
    await using source = await open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = await source.stat();
    if (!stats.isFile()) throw new Error(`log file ${quote(from)} is no regular file`);
    await rm(to, { force: true });
    await using target = await open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, stats.mode & 0o777);
    await pipeline(source.createReadStream(), createGzip(), target.createWriteStream()); // the streams close the files
  },
};
