import { constants } from 'node:fs';
import {
  access,
  chmod,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readFile,
  readlink,
  stat,
  writeFile,
} from 'node:fs/promises';
import type { PodFiles } from '#lib/node/kubelet/kubelet-pods/pod-files.ts';
import { pathWithinBase } from '#lib/node/volume/mount/path.ts';
import { inGoWords, isMissing } from '../records/path-error.ts';
import { descriptorPath, followChild, openFolder } from '../volumes/safe-open.ts';

/** Maximum bytes read from a file that a pod can write. */
const MAX_BYTES = 1024 * 1024;
const { O_CREAT, O_NOFOLLOW, O_RDONLY, O_TRUNC, O_WRONLY } = constants;

/** Files of this machine that the agent provides to pods. */
export class PodHostFiles implements PodFiles {
  read(path: string): Promise<Uint8Array> {
    return inGoWords(() => readFile(path));
  }

  /** Rejects links that lead outside the folder or to a pipe or device. Such a target is never opened. */
  readBelow(folder: string, path: string): Promise<Uint8Array> {
    return inGoWords(async () => {
      await using base = await openFolder(folder);
      await using file = await followChild(base, path);
      await checkPlace(base, file);
      return await readBounded(file);
    });
  }

  /** Writes in place, so that a container that has mounted the file sees the new content. */
  write(path: string, content: string | Uint8Array, mode: number): Promise<void> {
    return inGoWords(async () => {
      await writeFile(path, content, { mode, flag: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW });
      await chmod(path, mode);
    });
  }

  makeFolder(path: string, mode: number): Promise<void> {
    return inGoWords(async () => void (await mkdir(path, { recursive: true, mode })));
  }

  exists(path: string): Promise<boolean> {
    return inGoWords(() => there(access(path)));
  }

  modeOf(path: string): Promise<number> {
    return inGoWords(async () => (await stat(path)).mode & 0o7777);
  }

  isLink(path: string): Promise<boolean> {
    return inGoWords(async () => {
      try {
        return (await lstat(path)).isSymbolicLink();
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    });
  }
}

async function there(look: Promise<void>): Promise<boolean> {
  try {
    await look;
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** A container may continue to write while the file is read. */
async function readBounded(file: FileHandle): Promise<Uint8Array> {
  await using reading = await open(descriptorPath(file), O_RDONLY);
  const bytes = Buffer.alloc(MAX_BYTES);
  let size = 0;
  for (let read = -1; read !== 0 && size < MAX_BYTES; size += read)
    read = (await reading.read(bytes, size, MAX_BYTES - size, size)).bytesRead;
  return bytes.subarray(0, size);
}

/**
 * Throws unless the file is a regular file of limited size below the base. The check uses the open descriptor, so later changes of links
 * have no effect.
 */
async function checkPlace(base: FileHandle, file: FileHandle): Promise<void> {
  const [root, place] = [await readlink(descriptorPath(base)), await readlink(descriptorPath(file))];
  if (!pathWithinBase(place, root)) throw new Error('the path leads out of its folder');
  const stats = await file.stat();
  if (!stats.isFile()) throw new Error('not a regular file');
  if (stats.size > MAX_BYTES) throw new Error(`the file has more than ${MAX_BYTES} bytes`);
}
