import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { HOST } from './setup.ts';

const ROOT = join(import.meta.dirname, '../..');
const GATEWAY = '10.100.0.254';
const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' });

/** A fresh copy of what is committed, below `folder`, with the packages of this checkout. Gives its path. */
export function freshCopy(folder: string): string {
  const copy = join(folder, 'davit');
  run('git', 'clone', '--quiet', ROOT, copy);
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  utimesSync(join(copy, 'package-lock.json'), 0, 0); // nothing is to be installed: here is no network
  return copy;
}

/** Has files of /etc change in `folder` alone, and gives the machine a default route. `using` undoes both. */
export function ownEtc(folder: string): Disposable {
  const [upper, work] = ['upper', 'work'].map((name) => join(folder, `etc-${name}`)) as [string, string];
  for (const one of [upper, work]) mkdirSync(one);
  run('mount', '-t', 'overlay', '-o', `lowerdir=/etc,upperdir=${upper},workdir=${work}`, 'etc', '/etc');
  run('ip', 'route', 'add', 'default', 'via', GATEWAY, 'src', HOST);
  return {
    [Symbol.dispose]() {
      run('ip', 'route', 'del', 'default');
      run('umount', '--lazy', '/etc');
    },
  };
}
