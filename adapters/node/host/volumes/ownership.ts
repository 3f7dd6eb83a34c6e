import type { Stats } from 'node:fs';
import { chmod, chown, type FileHandle, lchown, stat } from 'node:fs/promises';
import { type FileFacts, modeForGroup, type OwnershipChange, requiresChange } from '#lib/node/volume/ownership.ts';
import { childPath, descriptorPath, namesIn, openChild, openChildFolder, openFolder } from './safe-open.ts';

/** Maximum depth of nested folders. A deeper tree is rejected, like a path that is too long for the system. */
const MAX_DEPTH = 2048;
/** Keeps the user of a file. */
const SAME = -1;

/**
 * Changes the group of a volume's files. Every file is opened without following links before its mode changes, because containers of other
 * pods may write to the volume meanwhile. As in upstream, a file whose owner or mode cannot be changed (read-only file system) stays as it
 * is.
 */
export async function changeOwnership(path: string, change: OwnershipChange): Promise<void> {
  if (!requiresChange(factsOf(await stat(path)), change)) return;
  const root = await openFolder(path);
  try {
    await walk(root, change, 0);
  } finally {
    await root.close();
  }
}

const factsOf = (stats: Stats): FileFacts => ({
  isDirectory: stats.isDirectory(),
  isLink: stats.isSymbolicLink(),
  mode: stats.mode & 0o7777,
  gid: stats.gid,
});

/** Changes a folder after its content, so that a correct root folder implies that everything below it is correct. */
async function walk(folder: FileHandle, change: OwnershipChange, depth: number): Promise<void> {
  if (depth > MAX_DEPTH) throw new Error('the volume has too many folders below each other');
  for (const name of await namesIn(folder)) await visit(folder, name, change, depth);
  await apply(folder, change);
}

async function visit(parent: FileHandle, name: Buffer, change: OwnershipChange, depth: number): Promise<void> {
  const child = await openChild(parent, name);
  try {
    const facts = factsOf(await child.stat());
    if (facts.isLink) return await lchown(childPath(parent, name), SAME, change.fsGroup).catch(() => undefined);
    if (!facts.isDirectory) return await apply(child, change);
  } finally {
    await child.close();
  }
  const folder = await openChildFolder(parent, name);
  try {
    await walk(folder, change, depth + 1);
  } finally {
    await folder.close();
  }
}

/** Changes the file at a descriptor. The previous mode is restored, because a change of owner clears setuid and setgid. */
async function apply(file: FileHandle, { fsGroup, readOnly }: OwnershipChange): Promise<void> {
  const mode = modeForGroup(factsOf(await file.stat()), readOnly);
  await chown(descriptorPath(file), SAME, fsGroup).catch(() => undefined);
  if (mode !== undefined) await chmod(descriptorPath(file), mode).catch(() => undefined);
}
