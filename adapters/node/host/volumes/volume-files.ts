import type { Stats } from 'node:fs';
import { chmod, lstat, mkdir, open, rmdir, stat, symlink, unlink } from 'node:fs/promises';
import type { Projection, WritePlan } from '#lib/node/volume/atomic-writer.ts';
import type { FileType, VolumeFiles } from '#lib/node/volume/files.ts';
import type { Mounter } from '#lib/node/volume/mount/mounter.ts';
import { parentPath } from '#lib/node/volume/mount/path.ts';
import type { OwnershipChange } from '#lib/node/volume/ownership.ts';
import { errorCode, ifMissing, inGoWords } from '../records/path-error.ts';
import { readProjection, writeProjection } from './atomic-writer.ts';
import { changeOwnership } from './ownership.ts';
import { removeTree } from './remove-tree.ts';

/** Files of volumes on this machine. */
export class HostVolumeFiles implements VolumeFiles {
  readonly #mounter: Mounter;

  constructor(mounter: Mounter) {
    this.#mounter = mounter;
  }

  fileType(path: string): Promise<FileType | undefined> {
    return inGoWords(async () => {
      const stats = await stat(path).catch(ifMissing);
      return stats && typeOf(stats);
    });
  }

  makeFolder(path: string, mode: number, options?: { readonly exact: boolean }): Promise<void> {
    return inGoWords(async () => {
      await mkdir(path, { recursive: true, mode });
      if (options?.exact === true && ((await lstat(path)).mode & 0o777) !== mode) await chmod(path, mode);
    });
  }

  makeFile(path: string, mode: number): Promise<void> {
    return inGoWords(async () => (await open(path, 'a', mode)).close());
  }

  removeTree(path: string): Promise<void> {
    return inGoWords(() => removeTree(path, this.#mounter));
  }

  async cleanUpMountPoint(path: string): Promise<void> {
    const there = await lstat(path).catch(ifMissingOrCorrupt);
    if (there === undefined) return;
    await this.#mounter.unmount(path);
    await inGoWords(() => (there === 'corrupt' || there.isDirectory() ? rmdir(path) : unlink(path)).catch(ifMissing));
  }

  groupOf(path: string): Promise<number> {
    return inGoWords(async () => (await stat(path)).gid);
  }

  changeOwnership(path: string, change: OwnershipChange): Promise<void> {
    return inGoWords(() => changeOwnership(path, change));
  }

  projection(path: string): Promise<Projection | undefined> {
    return inGoWords(() => readProjection(path));
  }

  writeProjection(path: string, plan: WritePlan, beforePublish: () => Promise<void>): Promise<void> {
    return inGoWords(() => writeProjection(path, plan, beforePublish));
  }

  linkDevice(device: string, path: string): Promise<void> {
    return inGoWords(async () => {
      await mkdir(parentPath(path), { recursive: true, mode: 0o750 });
      await unlink(path).catch(ifMissing);
      await symlink(device, path);
    });
  }
}

function typeOf(stats: Stats): FileType {
  if (stats.isDirectory()) return 'Directory';
  if (stats.isFile()) return 'File';
  if (stats.isSocket()) return 'Socket';
  if (stats.isCharacterDevice()) return 'CharDevice';
  return stats.isBlockDevice() ? 'BlockDevice' : '';
}

/** Error codes for a mount whose server is unreachable: the path exists but cannot be read. */
const CORRUPT = new Set(['ENOTCONN', 'ESTALE', 'EIO', 'EACCES', 'EHOSTDOWN', 'EAGAIN', 'ENODEV']);

function ifMissingOrCorrupt(error: unknown): 'corrupt' | undefined {
  if (CORRUPT.has(errorCode(error) ?? '')) return 'corrupt';
  return ifMissing(error);
}
