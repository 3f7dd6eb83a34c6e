import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { newestKubectl } from '#test/clients/kubectl.ts';

/*
 * Runs the tests that start containers: as root, in namespaces of their own for processes, mounts, network and cgroups. The end of
 * the run ends the first process of its namespace, so the kernel ends every container, unmounts and removes every interface,
 * also after a failure. The newest kubectl is fetched before: inside is no network.
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
const { status } = spawnSync('unshare', [...NAMESPACES, '--', ...vitest, ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, DAVIT_ROOT_TESTS: kubectl.path },
});
process.exit(status ?? 1);

function fail(reason: string): never {
  console.error(`test:root: ${reason}`);
  process.exit(1);
}
