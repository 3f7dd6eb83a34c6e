import { type FileHandle, mkdir, realpath, stat } from 'node:fs/promises';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { joinPath, partsBelow } from '#lib/node/volume/mount/path.ts';
import { errnoText, isMissing } from '../records/path-error.ts';
import { childPath, followChild, openChildFolder, openFolder, safeOpen } from './safe-open.ts';

/** Creates the missing folders of a path with this mode, each in its open parent folder. Throws if they would be outside the base. */
export async function makeFolders(path: string, base: string, mode: number): Promise<void> {
  const parts = partsBelow(path, base);
  if (parts === undefined) throw new Error(`path ${path} is outside of allowed base ${base}`);
  const there = await stat(path).catch(() => undefined); // an unreadable folder is created below, or fails there
  if (there?.isDirectory() === true) return;
  if (there !== undefined) throw new Error(`mkdir ${path}: not a directory`);
  const count = await existing(parts, base).catch((error: unknown) => {
    throw new Error(`error opening directory ${path}: ${errnoText(error)}`, { cause: error });
  });
  const found = await realpath(joinPath(base, ...parts.slice(0, count)));
  if (partsBelow(found, base) === undefined) throw new Error(`path ${found} is outside of allowed base ${base}`);
  const start = await safeOpen(found, base).catch((error: unknown) => {
    throw new Error(`cannot open directory ${found}: ${messageOfError(error)}`, { cause: error });
  });
  await makeBelow(start, parts.slice(count), { at: found, mode });
}

/** The number of parts that exist. Follows links. */
async function existing(parts: readonly string[], base: string): Promise<number> {
  let current = await openFolder(base);
  try {
    for (const [index, part] of parts.entries()) {
      const child = await followChild(current, part).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      });
      if (child === undefined) return index;
      await current.close();
      current = child;
    }
    return parts.length;
  } finally {
    await current.close();
  }
}

async function makeBelow(
  start: FileHandle,
  names: readonly string[],
  { at, mode }: { readonly at: string; readonly mode: number },
): Promise<void> {
  let [parent, place] = [start, at];
  try {
    for (const name of names) {
      place = joinPath(place, name);
      const path = childPath(parent, name);
      await mkdir(path, { mode }).catch((error: unknown) => {
        throw new Error(`cannot create directory ${place}: ${errnoText(error)}`, { cause: error });
      });
      // Another process that writes to the volume may have replaced the folder. A link is not followed, and the next mkdir then fails.
      const child = await openChildFolder(parent, name).catch((error: unknown) => {
        throw new Error(`cannot open ${place}: ${errnoText(error)}`, { cause: error });
      });
      await parent.close();
      parent = child;
      await parent.chmod(mode); // the umask cleared bits of the mode
    }
  } finally {
    await parent.close();
  }
}
