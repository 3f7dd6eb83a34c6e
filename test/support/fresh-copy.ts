import { execFileSync } from 'node:child_process';
import { symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Creates a fresh copy of the committed files below `folder`, with the packages of this checkout. Returns its path. */
export function freshCopy(folder: string): string {
  const copy = join(folder, 'davit');
  execFileSync('git', ['clone', '--quiet', ROOT, copy], { stdio: 'pipe' });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  utimesSync(join(copy, 'package-lock.json'), 0, 0); // no package is installed, because a test's machine has no network
  return copy;
}
