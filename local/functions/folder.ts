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
/** Whether a change of the path may affect the functions. A path without an extension may be a folder that was added or removed. */
const mayMatter = (path: string): boolean => isOwn(path) || (extname(path) === '' && !isOutside(path));
/** Quiet time in ms after which a save counts as complete. */
const REST = 50;

/** Source files of a folder, and what they import from below it. */
export interface Snapshot {
  /** The folder and those below it that matter. */
  readonly folders: ReadonlySet<string>;
  /** Top-level files that may hold functions: path and state. */
  readonly files: ReadonlyMap<string, string>;
  /** Files of definitions, in the folder `crds`: path and state. */
  readonly definitions: ReadonlyMap<string, string>;
  /** The state of all others. */
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
 * Calls back when something of some folders has changed, and rests. Each folder is watched by itself: node's recursive watch
 * on Linux loses a file that another is renamed to, which is how many programs save.
 */
export class FolderWatch {
  readonly #changed: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #timer: NodeJS.Timeout | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Follows these folders from now on. New ones may have changed since they were read. */
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
