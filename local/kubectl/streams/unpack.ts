import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { quote } from '#lib/machinery/go.ts';
import { StartFault } from '../../start-fault.ts';
import { type TarEntry, tarEntries } from './tar.ts';

/** Flags for writing a file: symlinks are not followed, and existing content is truncated. */
const WRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

/** A copy out of a container. */
export interface Unpacking {
  /** The archive. A container wrote it, so its contents are untrusted. */
  readonly archive: AsyncIterable<Uint8Array>;
  /** The requested path, without a leading slash. */
  readonly source: string;
  /** The local path where `source` is written. */
  readonly target: string;
  /** Called with a warning for each skipped entry. */
  warn(text: string): void;
}

/**
 * Writes the files and folders of an archive below the target, and never outside it. Symlinks and devices are skipped, as in kubectl.
 * Returns the number of files written. Throws StartFault for a name that points outside the target, directly or via an existing symlink.
 */
export async function unpack({ archive, source, target, warn }: Unpacking): Promise<number> {
  let written = 0;
  for await (const entry of tarEntries(archive)) {
    const inside = insideOf(entry.name, source);
    if (entry.type === 'symlink') {
      warn(`warning: skipping symlink: ${quote(entry.name)} -> ${quote(entry.target)}\n`);
      continue;
    }
    if (entry.type === 'other') {
      warn(`warning: skipping ${quote(entry.name)}, which is neither a file nor a folder\n`);
      continue;
    }
    await write(entry, inside === '' ? target : join(target, inside), target);
    written += 1;
  }
  return written;
}

/** The path of an entry relative to the source; '' for the source itself. Throws StartFault for an entry outside the source. */
function insideOf(name: string, source: string): string {
  const refuse = (): StartFault =>
    new StartFault(`the container sent ${quote(name)}, which is outside of ${quote(source)}: nothing more is copied`);
  const parts = partsOf(name);
  const from = partsOf(source);
  if (name.startsWith('/') || name.includes('\0') || parts.includes('..')) throw refuse();
  if (from.some((part, i) => parts[i] !== part)) throw refuse();
  const inside = parts.slice(from.length);
  if (sep !== '/' && inside.some((part) => part.includes(sep) || part.includes(':'))) throw refuse();
  return inside.join(sep);
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');

async function write(entry: TarEntry, path: string, target: string): Promise<void> {
  await checkParents(path, target);
  if (entry.type === 'directory') return void (await mkdir(path, { recursive: true }));
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, WRITE, (entry.mode & 0o777) | 0o200);
  try {
    for await (const chunk of entry.content) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
}

/** Throws if one of the path's parent folders is a symlink that points outside the target. */
async function checkParents(path: string, target: string): Promise<void> {
  if (path === target) return;
  const base = await existing(target);
  if (base === undefined) return;
  for (let folder = dirname(path); folder.length >= target.length; folder = dirname(folder)) {
    const real = await existing(folder);
    if (real === undefined) continue;
    const from = relative(base, real);
    if (from === '..' || from.startsWith(`..${sep}`))
      throw new StartFault(`${folder} is a link out of ${target}: nothing more is copied`);
    break;
  }
  const itself = await lstat(path).catch(() => undefined);
  if (itself?.isSymbolicLink() === true) throw new StartFault(`${path} is a link: nothing more is copied`);
}

const existing = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);
