import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ctr } from './container-runtime.ts';
import { CGROUP } from './setup.ts';

/** Whatever pods have left on this machine, a line each: containers, shims, network namespaces, interfaces, mounts, folders, cgroups. */
export const leftovers = (): string[] => [
  ...lines(ctr('containers', 'list', '-q')).map((id) => `container ${id}`),
  ...shimsNow().map((line) => `process ${line}`),
  ...lines(execFileSync('ip', ['-o', 'link'], { encoding: 'utf8' }))
    .filter((line) => line.includes('veth'))
    .map((line) => `interface ${line}`),
  ...globSync('/run/netns/*').map((path) => `network namespace ${path}`),
  ...lines(textOf('/proc/self/mountinfo'))
    .filter((line) => /\/var\/lib\/kubelet\/pods\/|\/run\/netns\//.test(line))
    .filter((line) => existsSync(line.split(' ')[4] ?? '')) // the machine's own are hidden below this run's folders
    .map((line) => `mount ${line}`),
  ...globSync('/var/lib/kubelet/pods/*').map((path) => `folder ${path}`),
  ...globSync(['', '*/'].map((controller) => `/sys/fs/cgroup/${controller}${CGROUP}/kubepods/**/pod*/`)).map(
    (path) => `cgroup ${path}`,
  ),
];

/**
 * The networks and shims that the runtime does not know: containerd 1.6 forgets those that it was making when it was killed, as it makes
 * them before it writes them down. Parts of the lines of {@link leftovers}: their network namespaces' and containers' names.
 */
export function unknownToRuntime(): string[] {
  const known = lines(ctr('containers', 'list', '-q')).map((id) => `${id} ${ctr('containers', 'info', id)}`);
  const networks = globSync('/run/netns/*').map((path) => basename(path));
  const shims = shimsNow().flatMap((line) => /-id ([0-9a-f]+)/.exec(line)?.[1] ?? []);
  return [...networks, ...shims].filter((name) => !known.some((one) => one.includes(name)));
}

const shimsNow = (): string[] =>
  globSync('/proc/[0-9]*/cmdline')
    .map((path) => textOf(path).replaceAll('\0', ' '))
    .filter((line) => line.includes('containerd-shim'));

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // a process that has ended
  }
}
