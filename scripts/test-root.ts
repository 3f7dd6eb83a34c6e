import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { globSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { newestKubectl } from '#test/clients/kubectl.ts';

/*
 * Runs the tests that start containers: as root, in namespaces of their own for processes, mounts, network and cgroups. The end of
 * the run ends the first process of its namespace, so the kernel ends every container, unmounts and removes every interface,
 * also after a failure. The newest kubectl is fetched before: inside is no network. The cgroups are below one of the run's own, which goes
 * at the end. Arguments are vitest's, but for `--all`: the agent is killed at every step of a pod then, which takes ten minutes more.
 */
const ROOT = join(import.meta.dirname, '..');
const NEEDED = ['unshare', 'mount', 'ip', 'containerd', 'ctr', 'runc', 'busybox', 'iptables', 'tar'];
const NAMESPACES = [
  '--mount',
  '--net',
  '--pid',
  '--cgroup',
  '--uts',
  '--ipc',
  '--fork',
  '--kill-child',
  '--mount-proc',
];

const missing = NEEDED.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
if (process.getuid?.() !== 0) fail('it runs as root only');
if (missing.length > 0)
  fail(
    `missing: ${missing.join(', ')}; on Debian: apt-get install containerd runc containernetworking-plugins busybox-static iptables iproute2`,
  );
const kubectl = await newestKubectl();
if ('missing' in kubectl) fail(`no kubectl: ${kubectl.missing}`);
const vitest = [process.execPath, join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'root'];
const args = process.argv.slice(2);
const cgroup = `davit-${randomUUID()}`;
const { status } = spawnSync('unshare', [...NAMESPACES, '--', ...vitest, ...args.filter((one) => one !== '--all')], {
  cwd: ROOT,
  stdio: 'inherit',
  env: {
    ...process.env,
    DAVIT_ROOT_TESTS: kubectl.path,
    DAVIT_ROOT_CGROUP: cgroup,
    ...(args.includes('--all') ? { DAVIT_ROOT_ALL: '1' } : {}),
  },
});
removeCgroups(cgroup);
process.exit(status ?? 1);

/** The deepest first: a cgroup with others in it cannot go. */
function removeCgroups(name: string): void {
  const folders = ['', '*/'].map((controller) => `/sys/fs/cgroup/${controller}${name}`);
  for (const folder of globSync(folders.flatMap((one) => [`${one}/`, `${one}/**/`]))
    .toSorted()
    .toReversed())
    rmdirSync(folder);
}

function fail(reason: string): never {
  console.error(`test:root: ${reason}`);
  process.exit(1);
}
