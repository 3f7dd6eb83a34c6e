import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CacheFile, CacheStore } from '#lib/node/cni/cache.ts';
import { isAbsent, readBounded } from './files.ts';

/** The folder in which libcni caches the results of plugins. */
export const CACHE = '/var/lib/cni';
/** Maximum bytes of a file: a result and its configuration. */
const MAX = 4 << 20;

/** libcni's cache in a folder that is shared with the container runtime. Files have libcni's names, modes and content. */
export class ResultCache implements CacheStore {
  readonly #folder: string;

  constructor(folder = CACHE) {
    this.#folder = join(folder, 'results');
  }

  async names(): Promise<readonly string[]> {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      if (isAbsent(error)) return [];
      throw error;
    }
  }

  async read(name: string): Promise<CacheFile | undefined> {
    try {
      return await readBounded(this.#path(name), MAX);
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(this.#path(name), bytes, { mode: 0o600 });
  }

  async remove(name: string): Promise<void> {
    await rm(this.#path(name), { force: true });
  }

  /** The path of a file in the cache. Throws Error for a name that leads outside the folder. */
  #path(name: string): string {
    if (name.includes('/') || name.includes('\0')) throw new Error(`invalid name of a cache file: ${name}`);
    return join(this.#folder, name);
  }
}
