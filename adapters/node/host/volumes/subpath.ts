import { type FileHandle, lstat, mkdir, readdir, realpath, rm, rmdir, writeFile } from 'node:fs/promises';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { Mounter } from '#lib/node/volume/mount/mounter.ts';
import { joinPath, parentPath, pathWithinBase } from '#lib/node/volume/mount/path.ts';
import { SUBPATH_FOLDER, type Subpath, type SubpathMounter } from '#lib/node/volume/subpath/subpath.ts';
import { errnoText, errorCode, isMissing, pathErrorText } from '../records/path-error.ts';
import { makeFolders } from './safe-make-dir.ts';
import { safeOpen } from './safe-open.ts';

/**
 * Bind-mounts subpaths by descriptor. Each part is opened relative to its parent without following links. Then the descriptor is mounted,
 * not the path (CVE-2017-1002101). mount(8) is called with `--no-canonicalize`. Otherwise it would resolve the descriptor's link and mount
 * the resulting path (CVE-2021-25741).
 */
export class HostSubpath implements SubpathMounter {
  readonly #mounter: Mounter;

  constructor(mounter: Mounter) {
    this.#mounter = mounter;
  }

  async prepareSafeSubpath(subpath: Subpath): Promise<string> {
    const volumePath = await resolved(subpath.volumePath);
    const path = await resolved(subpath.path);
    if (!pathWithinBase(path, volumePath))
      throw new Error(`subpath ${JSON.stringify(path)} not within volume path ${JSON.stringify(volumePath)}`);
    const file = await safeOpen(path, volumePath).catch((error: unknown) => {
      throw new Error(`error opening subpath ${path}: ${messageOfError(error)}`, { cause: error });
    });
    try {
      return await this.#bind(file, { ...subpath, path, volumePath });
    } finally {
      await file.close();
    }
  }

  async cleanSubPaths(podDir: string, volumeName: string): Promise<void> {
    const folder = joinPath(podDir, SUBPATH_FOLDER, volumeName);
    const containers = await entriesOf(folder);
    if (containers === undefined) return;
    for (const container of containers) {
      if (!container.isDirectory()) continue;
      const below = joinPath(folder, container.name);
      for (const { name } of (await entriesOf(below)) ?? []) await this.#cleanUp(joinPath(below, name));
      await removeFolder(below);
    }
    await removeFolder(folder);
    await removeIfEmpty(joinPath(podDir, SUBPATH_FOLDER));
  }

  async safeMakeDir(subdir: string, base: string, mode: number): Promise<void> {
    const root = await realpath(base).catch((error: unknown) => {
      throw new Error(`error resolving symlinks in ${base}: ${pathErrorText(error)}`, { cause: error });
    });
    await makeFolders(joinPath(root, subdir), root, mode);
  }

  async #bind(file: FileHandle, subpath: Subpath): Promise<string> {
    const target = bindTarget(subpath);
    if (await this.#isBound(file, target)) return target;
    await prepareTarget(file, target);
    try {
      await this.#mounter.mount({
        source: `/proc/${process.pid}/fd/${file.fd}`,
        target,
        fsType: '',
        options: ['bind'],
        flags: ['--no-canonicalize'],
      });
    } catch (error) {
      await this.#undo(subpath.podDir, target);
      throw new Error(`error mounting ${subpath.path}: ${messageOfError(error)}`, { cause: error });
    }
    return target;
  }

  /** Whether the same file is already mounted at the target. Unmounts a different file. */
  async #isBound(file: FileHandle, target: string): Promise<boolean> {
    const mounted = await this.#mounter.isMountPoint(target).catch((error: unknown) => {
      throw new Error(`error checking path ${target} for mount: ${messageOfError(error)}`, { cause: error });
    });
    if (mounted !== true) return false;
    const [wanted, bound] = [await file.stat(), await lstat(target)];
    if (wanted.dev === bound.dev && wanted.ino === bound.ino) return true;
    await this.#mounter.unmount(target);
    return false;
  }

  /** Removes the target, and the parent folders that are empty after that. */
  async #undo(podDir: string, target: string): Promise<void> {
    await this.#cleanUp(target);
    for (let at = parentPath(target); at !== podDir && pathWithinBase(at, podDir); at = parentPath(at))
      if (!(await removeIfEmpty(at))) return;
  }

  /** Unmounts before it removes anything, so that no content of the volume is deleted. */
  async #cleanUp(path: string): Promise<void> {
    try {
      await this.#mounter.unmount(path);
      const { isDirectory } = await lstat(path).then((stats) => ({ isDirectory: stats.isDirectory() }));
      await (isDirectory ? rmdir(path) : rm(path));
    } catch (error) {
      if (isMissing(error)) return;
      throw new Error(`error cleaning subpath mount ${path}: ${pathErrorText(error)}`, { cause: error });
    }
  }
}

const bindTarget = ({ podDir, volumeName, containerName, volumeMountIndex }: Subpath): string =>
  joinPath(podDir, SUBPATH_FOLDER, volumeName, containerName, String(volumeMountIndex));

/** Creates the mount target: a folder for a folder, and an empty file for anything else. A bind mount needs a target of the same type. */
async function prepareTarget(file: FileHandle, target: string): Promise<void> {
  await mkdir(parentPath(target), { recursive: true, mode: 0o750 });
  if (!(await file.stat()).isDirectory()) return writeFile(target, '', { mode: 0o640 });
  await mkdir(target, { mode: 0o750 }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST')
      throw new Error(`error creating directory ${target}: ${pathErrorText(error)}`, { cause: error });
  });
}

const resolved = (path: string): Promise<string> =>
  realpath(path).catch((error: unknown) => {
    throw new Error(`error resolving symlinks in ${JSON.stringify(path)}: lstat ${path}: ${errnoText(error)}`, {
      cause: error,
    });
  });

async function entriesOf(folder: string) {
  return readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw new Error(`error reading ${folder}: ${pathErrorText(error)}`, { cause: error });
  });
}

async function removeFolder(path: string): Promise<void> {
  await rmdir(path).catch((error: unknown) => {
    throw new Error(`error deleting ${path}: ${pathErrorText(error)}`, { cause: error });
  });
}

/** Removes the folder if it is empty. Returns whether it no longer exists. */
async function removeIfEmpty(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return true;
    if (errorCode(error) === 'ENOTEMPTY') return false;
    throw new Error(`error deleting ${path}: ${pathErrorText(error)}`, { cause: error });
  }
}
