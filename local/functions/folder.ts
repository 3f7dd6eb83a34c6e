import { watch, type FSWatcher } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

const SOURCE = /\.(ts|mts|js|mjs)$/;
const OTHER = /\.(test|spec)\.\w+$|\.d\.m?ts$/;
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
    if (!entry.isFile() || from.split(sep).includes('node_modules') || OTHER.test(from)) continue;
    const { mtimeMs, size } = await stat(path);
    if (!from.includes(sep) && SOURCE.test(from)) files.set(path, `${mtimeMs}:${size}`);
    else shared.push(`${from}:${mtimeMs}:${size}`);
  }
  return { files, shared: shared.sort().join('\n') };
}

/** Calls back when something in the folder has changed, and rests. */
export function watchFolder(folder: string, changed: () => void): FSWatcher {
  let timer: NodeJS.Timeout | undefined;
  return watch(folder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(changed, REST);
  });
}
