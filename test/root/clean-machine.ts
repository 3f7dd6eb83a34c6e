import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { HOST } from './setup.ts';

const GATEWAY = '10.100.0.254';
const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' });

/** Redirects changes to /etc to `folder`, and gives the machine a default route. `using` undoes both. */
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
