import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { partsBelow } from '#lib/node/volume/mount/path.ts';
import { errnoText } from '../records/path-error.ts';

/**
 * Linux's O_PATH, which node does not export. The descriptor identifies a file without opening its content, so a pipe or device does not
 * block.
 */
const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/** A path to the file at a descriptor of this process. Renames do not affect it. */
export const descriptorPath = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`;

/** Opens a folder as the start of a walk. Never follows a link. */
export const openFolder = (path: string): Promise<FileHandle> => open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);

/** The path of a name in an open folder. Names are bytes, because some are not valid UTF-8. */
export const childPath = (parent: FileHandle, name: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${descriptorPath(parent)}/`), Buffer.from(name)]);

/** Opens the entry with this name in an open folder without its content. For a link, opens the link itself. */
export const openChild = (parent: FileHandle, name: string | Buffer): Promise<FileHandle> =>
  open(childPath(parent, name), O_PATH | O_NOFOLLOW);

/** Opens a subfolder of an open folder to continue a walk. Never follows a link. */
export const openChildFolder = (parent: FileHandle, name: string | Buffer): Promise<FileHandle> =>
  open(childPath(parent, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);

/** The names in an open folder. */
export const namesIn = (folder: FileHandle): Promise<Buffer[]> =>
  readdir(`${descriptorPath(folder)}/.`, { encoding: 'buffer' });

/** Opens the entry with this name in an open folder and follows links, to find out where it leads. */
export const followChild = (parent: FileHandle, name: string): Promise<FileHandle> =>
  open(`${descriptorPath(parent)}/${name}`, O_PATH);

/**
 * Opens a path below a base part by part, each relative to its parent. So a process that can write below the base cannot redirect it with a
 * link (CVE-2017-1002101). Both paths must be free of links at the time of the call. Throws if a part is a link, or if the path is not
 * below the base.
 */
export async function safeOpen(path: string, base: string): Promise<FileHandle> {
  const parts = partsBelow(path, base);
  if (parts === undefined) throw new Error(`path ${path} is outside of allowed base ${base}`);
  let current = await openFolder(base).catch((error: unknown) => {
    throw new Error(`cannot open directory ${base}: ${errnoText(error)}`, { cause: error });
  });
  let at = base;
  try {
    for (const part of parts.length === 0 ? ['.'] : parts) {
      at = part === '.' ? at : `${at === '/' ? '' : at}/${part}`;
      const child = await step(current, part, at);
      await current.close();
      current = child;
    }
  } catch (error) {
    await current.close();
    throw error;
  }
  return current;
}

async function step(parent: FileHandle, part: string, at: string): Promise<FileHandle> {
  // The trailing slash makes the kernel mount an automount point. For a file it causes an error, which is ignored.
  await lstat(`${descriptorPath(parent)}/${part}/`).catch(() => undefined);
  const child = await openChild(parent, part).catch((error: unknown) => {
    throw new Error(`cannot open ${at}: ${errnoText(error)}`, { cause: error });
  });
  if (!(await child.stat()).isSymbolicLink()) return child;
  await child.close();
  throw new Error(`unexpected symlink found ${at}`);
}
