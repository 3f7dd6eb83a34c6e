import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { kubectls } from '#test/root/kubectls.ts';
import { removeCgroups } from '#test/root/remove-cgroups.ts';
import { buildDeviceMonitor, buildDevicePlugin, GRPC_GO } from '#test/support/clients/device-plugin.ts';
import { newestKubectl } from '#test/support/clients/kubectl.ts';
import { metricsServerManifest } from '#test/support/clients/metrics-server.ts';
import { setup as endWithNpm } from '#test/support/setup/end-with-npm.ts';
import { bundleOnce } from './bundle-once.ts';

/*
 * Runs the tests that start containers. It requires root and runs several files concurrently, each in its own process, mount, network and
 * cgroup namespaces (`test/root/namespaced-worker.ts`). At the end of a file, the first process of its namespace ends. The kernel then ends
 * every container and removes all mounts and interfaces, even after a failure. When this program ends, every file ends. Clients are
 * downloaded and Go programs are built in advance, because the namespaces have no network. Arguments are parts of file names, `-t NAME`,
 * vitest options as single words (`--reporter=json`), and `--all`. With `--all`, the agent is killed at every step of a pod, and all
 * versions of kubectl and device plugins are tested in all ways.
 */
const ROOT = join(import.meta.dirname, '..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const NEEDED = [
  'unshare',
  'setpriv',
  'mount',
  'ip',
  'containerd',
  'ctr',
  'runc',
  'busybox',
  'iptables',
  'nft',
  'conntrack',
  'tar',
];
/** Unit tests that mount. Each runs here in its own mount namespace. */
const MOUNTING = 'adapters/node/host/volumes/{pod-volumes,subpath,volume-files}.test.ts';

const missing = NEEDED.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
if (process.getuid?.() !== 0) fail('it runs as root only');
if (missing.length > 0)
  fail(
    `missing: ${missing.join(', ')}; on Debian: apt-get install containerd runc containernetworking-plugins busybox-static iptables nftables conntrack iproute2`,
  );
const kubectl = await newestKubectl();
if ('missing' in kubectl) fail(`no kubectl: ${kubectl.missing}`);
for (const version of GRPC_GO) await buildDevicePlugin(version); // if the build fails, the test reports the missing program
await buildDeviceMonitor();
if (process.env['DAVIT_FULL'] !== undefined) await metricsServerManifest();
const given = read(process.argv.slice(2));
for (const { title, install } of kubectls(given.isAll)) {
  const fetched = await install();
  if ('missing' in fetched) fail(`no kubectl ${title}: ${fetched.missing}`);
}
const files = filesOf(given.names);
if (files.length === 0) fail(`no file has ${given.names.join(' or ')} in its name`);
for (const program of [
  { entry: 'local/main.ts', folder: 'build' },
  { entry: 'node-agent/main.ts', folder: 'build/agent' },
])
  await bundleOnce(program);

/** Contains everything that the test files write to the disk. */
const folder = mkdtempSync(join(tmpdir(), 'root-'));
/** The prefix of the test files' cgroups. */
const run = `davit-${randomUUID()}`;
endWithNpm();
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const vitest = [VITEST, 'run', '--project', 'root', ...given.options, ...files];
const child = spawn('setpriv', ['--pdeathsig', 'KILL', process.execPath, ...vitest], {
  cwd: ROOT,
  stdio: 'inherit',
  env: {
    ...process.env,
    TMPDIR: folder,
    DAVIT_ROOT_TESTS: kubectl.path,
    DAVIT_ROOT_RUN: run,
    ...(given.isAll ? { DAVIT_ROOT_ALL: '1' } : {}),
  },
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => child.kill('SIGKILL'));
const [code] = await once(child, 'close');
for (const name of new Set(
  globSync([`/sys/fs/cgroup/${run}*`, `/sys/fs/cgroup/*/${run}*`]).map((path) => basename(path)),
))
  await removeCgroups(name); // of files that were killed
process.exit(typeof code === 'number' ? code : 1);

function read(args: readonly string[]) {
  const at = args.indexOf('-t');
  const filter = at === -1 ? [] : args.slice(at, at + 2);
  const others = args.filter((_, index) => at === -1 || (index !== at && index !== at + 1));
  return {
    isAll: others.includes('--all'),
    names: others.filter((one) => !one.startsWith('-')),
    options: [...filter, ...others.filter((one) => one.startsWith('-') && one !== '--all')],
  };
}

/** The test files whose path contains one of these names, or all files if there are no names. */
function filesOf(names: readonly string[]): string[] {
  const all = globSync(['test/root/**/*.test.ts', MOUNTING], { cwd: ROOT }).toSorted();
  return names.length === 0 ? all : all.filter((file) => names.some((name) => file.includes(name)));
}

function fail(reason: string): never {
  console.error(`test:root: ${reason}`);
  process.exit(1);
}
