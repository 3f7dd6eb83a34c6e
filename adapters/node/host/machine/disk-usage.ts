import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ifMissing } from '../records/path-error.ts';
import { namesIn, openChild, openChildFolder } from '../volumes/safe-open.ts';

/** The space that a folder uses in its file system. */
export interface DiskUsage {
  readonly bytes: number;
  readonly inodes: number;
}

/** Maximum depth of nested folders that are counted. */
const MAX_DEPTH = 2048;

interface Count {
  readonly device: number;
  readonly seen: Set<number>;
  blocks: number;
}

/** Counts the bytes and inodes below a folder, like `du -x`. A file with several names counts once, and other file systems do not count. */
export async function diskUsage(path: string): Promise<DiskUsage> {
  const root = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const count: Count = { device: (await root.stat()).dev, seen: new Set(), blocks: 0 };
    await countFolder(root, count, 0);
    return { bytes: count.blocks * 512, inodes: count.seen.size };
  } finally {
    await root.close();
  }
}

async function countFolder(folder: FileHandle, count: Count, depth: number): Promise<void> {
  if (!(await countFile(folder, count)) || depth > MAX_DEPTH) return;
  for (const name of await namesIn(folder)) {
    const child = await openChild(folder, name).catch(ifMissing);
    if (child === undefined) continue;
    try {
      if ((await child.stat()).isDirectory()) await countBelow(folder, name, count, depth + 1);
      else await countFile(child, count);
    } finally {
      await child.close();
    }
  }
}

async function countBelow(parent: FileHandle, name: Buffer, count: Count, depth: number): Promise<void> {
  const folder = await openChildFolder(parent, name).catch(ifMissing);
  try {
    if (folder !== undefined) await countFolder(folder, count, depth);
  } finally {
    await folder?.close();
  }
}

/** Counts the file once. Returns whether it is on the device. */
async function countFile(file: FileHandle, count: Count): Promise<boolean> {
  const { dev, ino, blocks } = await file.stat();
  if (dev !== count.device) return false;
  if (!count.seen.has(ino)) count.blocks += blocks;
  count.seen.add(ino);
  return true;
}
