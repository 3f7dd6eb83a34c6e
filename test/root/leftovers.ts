import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { ctr } from './container-runtime.ts';
import { CGROUP } from './setup.ts';

/** Whatever pods have left on this machine, a line each: containers, shims, network namespaces, interfaces, mounts, folders, cgroups. */
export const leftovers = (): string[] => [
  ...lines(ctr('containers', 'list', '-q')).map((id) => `container ${id}`),
  ...globSync('/proc/[0-9]*/cmdline')
    .map(textOf)
    .filter((line) => line.includes('containerd-shim'))
    .map((line) => `process ${line.replaceAll('\0', ' ')}`),
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

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // a process that has ended
  }
}
