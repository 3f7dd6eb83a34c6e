import { existsSync, type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, extname, join, relative, sep } from 'node:path';

/** The folder next to the functions whose definitions are applied. */
export const DEFINITIONS = 'crds';
const SOURCE = /\.(ts|mts|js|mjs)$/;
/**
 * Files that functions import or read. The pattern excludes files that a running server writes into the folder, such as its data and log.
 */
const SHARED = /\.(ts|mts|js|mjs|cjs|json|ya?ml|wasm)$/;
const OTHER = /\.(test|spec)\.\w+$|\.d\.m?ts$/;
/** Whether a file of this name may hold functions. */
export const isSource = (name: string): boolean => SOURCE.test(name);
const isForeign = (name: string): boolean => name === 'node_modules' || name.startsWith('.');
const isOutside = (path: string): boolean => path.split(sep).some(isForeign);
const isOwn = (path: string): boolean => SHARED.test(path) && !OTHER.test(path) && !isOutside(path);
const isDefinition = (path: string): boolean => dirname(path) === DEFINITIONS && /\.(ya?ml|json)$/.test(path);
/** Whether a change to the path may affect the functions. A path without an extension may be a folder that was added or removed. */
const mayMatter = (path: string): boolean => isOwn(path) || (extname(path) === '' && !isOutside(path));
/** Quiet time in ms after which a save counts as complete. */
const REST = 50;

/** Source files in a folder, and the files that they import from below it. */
export interface Snapshot {
  /** The folder and its relevant subfolders. */
  readonly folders: ReadonlySet<string>;
  /** The state of top-level files that may hold functions, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** The state of definition files in the folder `crds`, by path. */
  readonly definitions: ReadonlyMap<string, string>;
  /** The combined state of all other files. */
  readonly shared: string;
}

/** Reads the folder. Throws if it cannot be read. */
export async function snapshot(folder: string): Promise<Snapshot> {
  const folders = new Set([folder]);
  const files = new Map<string, string>();
  const definitions = new Map<string, string>();
  const shared: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const from = relative(folder, path);
    if (entry.isDirectory() && !isOutside(from)) folders.add(path);
    if (!entry.isFile() || !isOwn(from)) continue;
    const { mtimeMs, size } = await stat(path);
    if (!from.includes(sep) && isSource(from)) files.set(path, `${mtimeMs}:${size}`);
    else if (isDefinition(from)) definitions.set(path, `${mtimeMs}:${size}`);
    else shared.push(`${from}:${mtimeMs}:${size}`);
  }
  return { folders, files, definitions, shared: shared.sort().join('\n') };
}

/**
 * Calls back after something in the folders has changed and no more changes follow. Each folder has its own watch. Node's recursive watch
 * on Linux misses a file that another file is renamed to, and many programs save files that way.
 */
export class FolderWatch {
  readonly #changed: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #timer: NodeJS.Timeout | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Watches these folders from now on. New ones may have changed since they were read. */
  follow(folders: ReadonlySet<string>): void {
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of folders) {
      if (this.#watchers.has(folder) || !existsSync(folder)) continue;
      this.#watchers.set(
        folder,
        watch(folder, (_, name) => {
          if (name === null || mayMatter(name)) this.#rest();
        }),
      );
      this.#rest();
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#changed, REST);
  }
}
