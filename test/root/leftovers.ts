import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ctr } from './container-runtime.ts';
import { CGROUP } from './setup.ts';

/**
 * Everything that pods have left on this machine, one per line: containers, shims, network namespaces, interfaces, mounts, folders,
 * cgroups.
 */
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

/** Excludes ended containers, which the agent removes once a minute. The tests of pods, kills and restarts wait for that. */
export const leftoversSoon = (left: readonly string[]): string[] =>
  left.filter((line) => !line.startsWith('container '));

/**
 * Returns everything that is left, except the parts that containerd 1.6 lost, which no agent can remove. containerd creates networks, shims
 * and tasks before it records them. It forgets them if it or its caller is killed in between. It always refuses to remove parts that it
 * recorded and later lost track of. `log` is the log of the agent.
 */
export function leftoversAfterKills(log: string): string[] {
  const known = lines(ctr('containers', 'list', '-q')).map((id) => ({ id, about: `${id} ${infoOf(id)}` }));
  const networks = globSync('/run/netns/*').map((path) => basename(path));
  const shims = shimsNow().flatMap((line) => /-id ([0-9a-f]+)/.exec(line)?.[1] ?? []);
  const forgotten = [...networks, ...shims].filter((name) => !known.some(({ about }) => about.includes(name)));
  const refusals = log.split('\n').filter((line) => /removing the (dead container|sandbox) .*failed/.test(line));
  const refused = known.filter(({ id }) => refusals.filter((line) => line.includes(id)).length > 1);
  const sandboxes = known.filter(({ id }) => refused.some(({ about }) => about.includes(id)));
  const lost = [...forgotten, ...sandboxes.map(({ id }) => id)];
  return leftovers().filter((line) => !lost.some((name) => line.includes(name)));
}

function infoOf(container: string): string {
  try {
    return ctr('containers', 'info', container);
  } catch {
    return ''; // it was removed just now
  }
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
