import { type FileHandle, lstat, realpath, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { mountsBelow } from '#lib/node/volume/mount/mount-info.ts';
import type { Mounter } from '#lib/node/volume/mount/mounter.ts';
import { errorCode, ifMissing, isMissing } from '../records/path-error.ts';
import { childPath, namesIn, openChildFolder, openFolder } from './safe-open.ts';

/**
 * Maximum depth of nested folders that are open at once. Deeper folders are first moved up, so that a deep tree does not use up the
 * process's descriptors.
 */
const MAX_DEPTH = 64;

/**
 * Removes a file or folder with its content, but never anything that is mounted. It reads the mount table first, and stops at a folder on
 * another device. Each folder is opened relative to its parent, so that a link is removed and not followed. Throws the first error. Does
 * nothing if the path does not exist.
 */
export async function removeTree(path: string, mounter: Mounter): Promise<void> {
  const stats = await lstat(path).catch(ifMissing);
  if (stats === undefined) return;
  if (!stats.isDirectory()) return rm(path, { force: true });
  const [mount] = mountsBelow(await mounter.list(), await realpath(path));
  if (mount !== undefined) throw new Error(`cannot delete directory ${mount}: it is a mount point`);
  const top = await openFolder(path);
  try {
    await empty(top, { top, device: stats.dev, depth: 0 });
  } finally {
    await top.close();
  }
  await rmdir(path);
}

interface Place {
  readonly top: FileHandle;
  readonly device: number;
  readonly depth: number;
}

/** Empties an open folder. */
async function empty(folder: FileHandle, place: Place): Promise<void> {
  for (let names = await namesIn(folder); names.length > 0; names = await namesIn(folder)) {
    for (const name of names) await remove(folder, name, place);
    if (place.depth > 0) return; // the caller lists the top folder again, because deeper folders may have moved there
  }
}

async function remove(parent: FileHandle, name: Buffer, place: Place): Promise<void> {
  const path = childPath(parent, name);
  const isFolder = await unlink(path).then(() => false, mayBeFolder);
  if (!isFolder) return;
  const folder = await openChildFolder(parent, name).catch(ifMissing);
  if (folder === undefined) return;
  try {
    const { dev, ino } = await folder.stat();
    if (dev !== place.device) throw new Error(`cannot delete directory ${name.toString()}: it is a mount point`);
    if (place.depth >= MAX_DEPTH) {
      await rename(path, childPath(place.top, `.removed-${ino}`));
      return;
    }
    await empty(folder, { ...place, depth: place.depth + 1 });
  } finally {
    await folder.close();
  }
  await rmdir(path).catch(ifMissing);
}

/** A handler for `catch`. Returns whether the path that could not be unlinked is a folder. */
function mayBeFolder(error: unknown): boolean {
  if (isMissing(error)) return false;
  if (errorCode(error) === 'EISDIR' || errorCode(error) === 'EPERM') return true;
  throw error;
}
