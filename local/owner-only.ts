import { chmod, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifCode } from './if-code.ts';

/** Permissions of the group and of others. */
const FOREIGN = 0o077;
const GITIGNORE = '.gitignore';
/** The files that davit keeps in a data directory. */
const FILES = [
  'davit.db',
  'davit.db-wal',
  'davit.db-shm',
  'identity.json',
  'kubeconfig',
  'lock',
  'lock-journal',
  'pid',
  'command-pid',
];

/** Writes a file that only its owner can read. It appears atomically, so no half-written file is visible. */
export async function writeOwnerOnly(path: string, text: string): Promise<void> {
  const aside = `${path}.new`;
  await rm(aside, { force: true });
  await writeFile(aside, text, { mode: 0o600, flag: 'wx' });
  await rename(aside, path);
}

/**
 * Removes access to the files of a data directory for everyone but their owner. Excludes the directory from git if it contains nothing
 * else.
 */
export async function restrictFiles(directory: string): Promise<void> {
  for (const name of FILES) await restrict(join(directory, name));
  const others = (await readdir(directory)).filter((name) => !FILES.includes(name));
  if (others.length === 0)
    await writeFile(join(directory, GITIGNORE), '*\n', { flag: 'wx', mode: 0o600 }).catch(ifCode('EEXIST'));
}

/** Some file systems have no modes, and the mode of another user's file cannot be changed. `exposed` reports such files. */
async function restrict(path: string): Promise<void> {
  const mode = await modeOf(path);
  if ((mode & FOREIGN) !== 0) await chmod(path, mode & ~FOREIGN).catch(ifCode('EPERM'));
}

/** A warning for each path in a data directory, including the directory itself, that others can access. */
export async function exposureWarnings(directory: string): Promise<string[]> {
  const warnings: string[] = [];
  for (const path of [directory, ...FILES.map((name) => join(directory, name))]) {
    const mode = await modeOf(path);
    if ((mode & FOREIGN) !== 0)
      warnings.push(`other users have rights on ${path} (mode ${mode.toString(8)}); run chmod go-rwx ${path}`);
  }
  return warnings;
}

/** Permission bits; 0 if the file does not exist. */
async function modeOf(path: string): Promise<number> {
  const found = await stat(path).catch(ifCode('ENOENT'));
  return found === undefined ? 0 : found.mode & 0o777;
}
