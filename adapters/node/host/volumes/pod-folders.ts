import { mkdir, readdir, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { PodFolders, VolumeOnDisk } from '#lib/node/kubelet/volumemanager/pod-folders.ts';
import { podDir, podsDir, unescapeQualifiedName } from '#lib/node/volume/folders.ts';
import { mountAt, mountsBelow } from '#lib/node/volume/mount/mount-info.ts';
import type { Mounter } from '#lib/node/volume/mount/mounter.ts';
import { SUBPATH_FOLDER } from '#lib/node/volume/subpath/subpath.ts';
import { errnoText, isMissing, pathErrorText } from '../records/path-error.ts';
import { removeTree } from './remove-tree.ts';

/** The folders of pods in the kubelet's folder. */
export class HostPodFolders implements PodFolders {
  readonly #root: string;
  readonly #mounter: Mounter;

  /** `root` is the kubelet's folder, with links resolved. */
  constructor(root: string, mounter: Mounter) {
    this.#root = root;
    this.#mounter = mounter;
  }

  /** Creates a pod's folder, and the folders for its volumes and plugins (upstream: makePodDataDirs). */
  async make(uid: string): Promise<void> {
    const folder = podDir(this.#root, uid);
    for (const path of [folder, join(folder, 'volumes'), join(folder, 'plugins')])
      await mkdir(path, { recursive: true, mode: 0o750 });
  }

  uids(): Promise<readonly string[]> {
    return foldersIn(podsDir(this.#root));
  }

  async volumes(uid: string): Promise<readonly VolumeOnDisk[]> {
    const found: VolumeOnDisk[] = [];
    for (const [folder, block] of [
      ['volumes', false],
      ['volumeDevices', true],
    ] as const) {
      const base = join(podDir(this.#root, uid), folder);
      for (const plugin of await namesIn(base))
        for (const name of await namesIn(join(base, plugin)))
          found.push({ plugin: unescapeQualifiedName(plugin), name, path: join(base, plugin, name), block });
    }
    return found;
  }

  subpathVolumes(uid: string): Promise<readonly string[]> {
    return namesIn(join(podDir(this.#root, uid), SUBPATH_FOLDER));
  }

  async mounted(uid: string): Promise<readonly string[]> {
    return mountsBelow(await this.#mounter.list(), join(podDir(this.#root, uid), 'volumes'));
  }

  async remove(uid: string): Promise<readonly string[]> {
    const start = `orphaned pod ${JSON.stringify(uid)} found, but`;
    const folder = podDir(this.#root, uid);
    const refusals = [...(await this.#removeVolumes(uid, start)), ...(await this.#removeSubpaths(uid, start))];
    const volumes = join(folder, 'volumes');
    await this.#removeFolders(volumes).catch((error: unknown) =>
      refusals.push(`${start} error occurred when trying to remove the volumes dir: ${pathErrorText(error)}`),
    );
    if (refusals.length > 0) return refusals;
    for (const name of await namesIn(folder)) {
      const path = join(folder, name);
      await removeTree(path, this.#mounter).catch((error: unknown) =>
        refusals.push(
          `${start} error occurred when trying to remove subdir ${JSON.stringify(path)}: ${pathErrorText(error)}`,
        ),
      );
    }
    await rmdir(folder).catch((error: unknown) => {
      if (isMissing(error)) return;
      refusals.push(`${start} error occurred when trying to remove the pod directory: ${errnoText(error)}`);
    });
    return refusals;
  }

  /** Removes only empty volume folders, because content means that a volume still exists. */
  async #removeVolumes(uid: string, start: string): Promise<string[]> {
    const refusals: string[] = [];
    for (const { path, block } of await this.volumes(uid)) {
      const remove = block ? rm(path, { force: true }) : rmdir(path);
      await remove.catch((error: unknown) =>
        refusals.push(`${start} failed to rmdir() volume at path ${path}: ${errnoText(error)}`),
      );
    }
    return refusals;
  }

  async #removeSubpaths(uid: string, start: string): Promise<string[]> {
    const refusals: string[] = [];
    const base = join(podDir(this.#root, uid), SUBPATH_FOLDER);
    for (const volume of await namesIn(base))
      for (const container of await namesIn(join(base, volume)))
        for (const index of await namesIn(join(base, volume, container))) {
          const path = join(base, volume, container, index);
          await rmdir(path)
            .catch(() => unlink(path))
            .catch((error: unknown) =>
              refusals.push(`${start} failed to remove subpath at path ${path}: ${pathErrorText(error)}`),
            );
        }
    return refusals;
  }

  /** Removes only folders, deepest first. Stops at a file or a mount point. */
  async #removeFolders(path: string): Promise<void> {
    if (mountAt(await this.#mounter.list(), path) !== undefined)
      throw new Error(`cannot delete directory ${path}: it is a mount point`);
    for (const name of await namesIn(path)) await this.#removeFolders(join(path, name));
    await rmdir(path).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }
}

const namesIn = (path: string): Promise<string[]> =>
  readdir(path).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });

async function foldersIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}
