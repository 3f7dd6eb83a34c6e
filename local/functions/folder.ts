import { watch, type FSWatcher } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

const SOURCE = /\.(ts|mts|js|mjs)$/;
/** What they import or read. What a running server writes beside them is none of it: its data, its log. */
const SHARED = /\.(ts|mts|js|mjs|cjs|json|ya?ml|wasm)$/;
const OTHER = /\.(test|spec)\.\w+$|\.d\.m?ts$/;
const isForeign = (name: string): boolean => name === 'node_modules' || name.startsWith('.');
const isOutside = (path: string): boolean => path.split(sep).some(isForeign);
const isOwn = (path: string): boolean => SHARED.test(path) && !OTHER.test(path) && !isOutside(path);
/** What has no extension may be a folder that came or went. */
const mayMatter = (path: string): boolean => isOwn(path) || (extname(path) === '' && !isOutside(path));
/** Milliseconds of rest after which a save counts as done. */
const REST = 50;

/** Source files of a folder, and what they import from below it. */
export interface Snapshot {
  /** Those right in it, which may hold functions: path and state. */
  readonly files: ReadonlyMap<string, string>;
  /** The state of all others. */
  readonly shared: string;
}

/** Reads what there is. Throws where the folder cannot be read. */
export async function snapshot(folder: string): Promise<Snapshot> {
  const files = new Map<string, string>();
  const shared: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const from = relative(folder, path);
    if (!entry.isFile() || !isOwn(from)) continue;
    const { mtimeMs, size } = await stat(path);
    if (!from.includes(sep) && SOURCE.test(from)) files.set(path, `${mtimeMs}:${size}`);
    else shared.push(`${from}:${mtimeMs}:${size}`);
  }
  return { files, shared: shared.sort().join('\n') };
}

/** Calls back when something of it has changed, and rests. */
export function watchFolder(folder: string, changed: () => void): FSWatcher {
  let timer: NodeJS.Timeout | undefined;
  return watch(folder, { recursive: true }, (_, path) => {
    if (path !== null && !mayMatter(path)) return;
    clearTimeout(timer);
    timer = setTimeout(changed, REST);
  });
}
