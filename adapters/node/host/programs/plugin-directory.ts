import { watch } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginDirectory, PluginSocket } from '#lib/node/kubelet/pluginmanager/plugin-directory.ts';

/** Maximum depth of nested subfolders. */
const MAX_DEPTH = 8;

/** The folder `plugins_registry` on this machine. */
export class PluginFolder implements PluginDirectory {
  readonly #path: string;
  readonly #onFault: (error: unknown) => void;

  /** `onFault` is called with the reason if the folder cannot be watched. */
  constructor(path: string, onFault: (error: unknown) => void) {
    this.#path = path;
    this.#onFault = onFault;
  }

  async sockets(): Promise<readonly PluginSocket[]> {
    const found = await socketsBelow(this.#path, MAX_DEPTH);
    if (found === undefined) await mkdir(this.#path, { recursive: true, mode: 0o755 });
    return found ?? [];
  }

  /** Watches only the folder itself. The next scan finds changes in subfolders. */
  watch(changed: () => void, signal: AbortSignal): void {
    mkdir(this.#path, { recursive: true, mode: 0o755 })
      .then(() => watch(this.#path, { signal }, changed).on('error', this.#onFault))
      .catch(this.#onFault);
  }
}

/** Undefined if the folder does not exist. */
async function socketsBelow(folder: string, depth: number): Promise<PluginSocket[] | undefined> {
  const names = await readdir(folder).catch(ifGone);
  if (names === undefined) return undefined;
  const found: PluginSocket[] = [];
  for (const name of names.sort()) {
    if (name.startsWith('.')) continue;
    const path = join(folder, name);
    const file = await stat(path, { bigint: true }).catch(ifGone);
    if (file?.isSocket() === true) found.push({ path, identity: `${file.dev}:${file.ino}:${file.birthtimeNs}` });
    else if (file?.isDirectory() === true && depth > 1) found.push(...((await socketsBelow(path, depth - 1)) ?? []));
  }
  return found;
}

/** A handler for `catch`. Returns undefined if a file was removed since its folder was read, or is no longer a folder. */
function ifGone(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ELOOP') throw error;
}
