import { spawnSync } from 'node:child_process';
import { removeCgroups } from '#test/root/remove-cgroups.ts';
import { pathOf } from '#test/support/clients/cache.ts';
import { newestKubectl } from '#test/support/clients/kubectl.ts';

const NAMESPACES = '--mount --net --pid --cgroup --uts --ipc --fork --kill-child --mount-proc'.split(' ');

/** Runs the benchmark for a flag again in its own namespaces, as the container tests do. There, `DAVIT_ROOT_TESTS` is set. */
export async function inNamespaces(flag: string): Promise<void> {
  const cgroup = `davit-bench-${process.pid}`;
  const { status } = spawnSync('unshare', [...NAMESPACES, '--', process.execPath, 'scripts/bench.ts', flag], {
    stdio: 'inherit',
    env: {
      ...process.env,
      DAVIT_ROOT_TESTS: pathOf(await newestKubectl()),
      DAVIT_ROOT_CGROUP: cgroup,
    },
  });
  await removeCgroups(cgroup);
  process.exitCode = status ?? 1;
}
