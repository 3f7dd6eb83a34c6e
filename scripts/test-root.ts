import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildDeviceMonitor, buildDevicePlugin, GRPC_GO } from '#test/clients/device-plugin.ts';
import { newestKubectl } from '#test/clients/kubectl.ts';
import { metricsServerManifest } from '#test/clients/metrics-server.ts';
import { mortal } from '#test/mortal.ts';
import { kubectls } from '#test/root/kubectls.ts';
import { removeCgroups } from '#test/root/remove-cgroups.ts';
import { setup as endWithNpm } from '#test/setup/end-with-npm.ts';
import { bundleOnce } from './bundle-once.ts';

/*
 * Runs the tests that start containers: as root, each file in namespaces of its own for processes, mounts, network and cgroups, some
 * files at once. The end of a file ends the first process of its namespace, so the kernel ends every container, unmounts and removes
 * every interface, also after a failure; the end of this program ends every file. Clients are fetched, and programs of Go built, before: inside is no network.
 * The cgroups of a file are below one of its own, which goes at its end. Arguments are parts of files' names, `-t NAME`, options of
 * vitest's reporters in one word (`--reporter=json`), and `--all`: the agent is killed at every step of a pod then, and every kubectl
 * and device plugin is tried every way.
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
/** The kernel kills the file when this program is killed. */
const MORTAL = ['--pdeathsig', 'KILL', 'unshare'];
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
/** Files at once: they wait more than they work. */
const LANES = availableParallelism() + 1;
/** Tests of the unit tier that mount: here each has a mount namespace of its own. */
const MOUNTING = 'adapters/host/{pod-volumes,subpath,volume-files}.test.ts';
/** Files that take longest, longest first: begun last, they would run on alone. */
const LONG = [
  'flexvolume',
  'kills',
  'restarts',
  'csi',
  'csi-faults',
  'pods',
  'services',
  'streams',
  'evictions',
  'charts',
  'autoscaling',
  'apart',
];

const missing = NEEDED.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
if (process.getuid?.() !== 0) fail('it runs as root only');
if (missing.length > 0)
  fail(
    `missing: ${missing.join(', ')}; on Debian: apt-get install containerd runc containernetworking-plugins busybox-static iptables nftables conntrack iproute2`,
  );
const kubectl = await newestKubectl();
if ('missing' in kubectl) fail(`no kubectl: ${kubectl.missing}`);
for (const version of GRPC_GO) await buildDevicePlugin(version); // a test whose program is missing tells so
await buildDeviceMonitor();
if (process.env['DAVIT_FULL'] !== undefined) await metricsServerManifest();
const given = read(process.argv.slice(2));
for (const { title, install } of kubectls(given.isAll)) {
  const fetched = await install();
  if ('missing' in fetched) fail(`no kubectl ${title}: ${fetched.missing}`);
}
const waiting = filesOf(given.names);
if (waiting.length === 0) fail(`no file has ${given.names.join(' or ')} in its name`);
for (const program of [
  { entry: 'local/main.ts', folder: 'build' },
  { entry: 'node-agent/main.ts', folder: 'build/agent' },
])
  await bundleOnce(program);

/** All that the files leave on the disk. */
const folder = mkdtempSync(join(tmpdir(), 'root-'));
const blobs = join(folder, 'blobs');
const running = new Set<() => void>();
const environment = {
  ...process.env,
  TMPDIR: folder,
  DAVIT_ROOT_TESTS: kubectl.path,
  ...(given.isAll ? { DAVIT_ROOT_ALL: '1' } : {}),
};
endWithNpm();
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, stop);
mkdirSync(blobs);
let status = 0;
await Promise.all(Array.from({ length: LANES }, lane));
const merged = spawnSync(process.execPath, [VITEST, 'run', '--merge-reports', blobs, ...given.reports], {
  cwd: ROOT,
  stdio: 'inherit',
});
process.exit(status === 0 ? (merged.status ?? 1) : status);

/** Runs files until none is left. */
async function lane(): Promise<void> {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const began = performance.now();
    const code = await run(file);
    console.log(`${file} ${code === 0 ? 'passed' : 'FAILED'} in ${Math.round((performance.now() - began) / 1000)} s`);
    status ||= code;
  }
}

/** Runs one file, and prints in one piece what it says. Gives its exit code. */
async function run(file: string): Promise<number> {
  const cgroup = `davit-${randomUUID()}`;
  const shown = ['--reporter=verbose', '--reporter=blob', `--outputFile.blob=${join(blobs, `${basename(file)}.json`)}`];
  const vitest = [process.execPath, VITEST, 'run', '--project', 'root', ...shown, ...given.filter, file];
  const child = mortal(
    spawn('setpriv', [...MORTAL, ...NAMESPACES, '--', ...vitest], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environment, DAVIT_ROOT_CGROUP: cgroup },
    }),
  );
  const kill = (): void => void child.kill('SIGKILL');
  running.add(kill);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = await once(child, 'close');
  running.delete(kill);
  await removeCgroups(cgroup);
  console.log(said.trim());
  return typeof code === 'number' ? code : 1;
}

/** Ends every file, and begins no other. */
function stop(): void {
  waiting.length = 0;
  status = 1;
  for (const kill of running) kill();
}

function read(args: readonly string[]) {
  const at = args.indexOf('-t');
  const filter = at === -1 ? [] : args.slice(at, at + 2);
  const others = args.filter((_, index) => at === -1 || (index !== at && index !== at + 1));
  return {
    filter,
    isAll: others.includes('--all'),
    names: others.filter((one) => !one.startsWith('-')),
    reports: others.filter((one) => one.startsWith('-') && one !== '--all'),
  };
}

/** The test files with one of these in their names, or all; those that take longest first. */
function filesOf(names: readonly string[]): string[] {
  const files = globSync(['test/root/**/*.test.ts', MOUNTING], { cwd: ROOT }).toSorted();
  const chosen = names.length === 0 ? files : files.filter((file) => names.some((name) => file.includes(name)));
  const place = (file: string): number => {
    const index = LONG.indexOf(basename(file, '.test.ts'));
    return index === -1 ? LONG.length : index;
  };
  return chosen.toSorted((a, b) => place(a) - place(b));
}

function fail(reason: string): never {
  console.error(`test:root: ${reason}`);
  process.exit(1);
}
