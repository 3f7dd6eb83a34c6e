import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { PACKAGE_NAME } from '#lib/machinery/package-name.ts';
import { pathOf } from '#test/support/clients/cache.ts';
import { newestKubectl } from '#test/support/clients/kubectl.ts';
import { eventually } from '#test/support/eventually.ts';
import { mortal } from '#test/support/mortal.ts';
import { needing } from '#test/support/skip.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'davit-package-'));
const own = join(folder, 'node_modules', PACKAGE_NAME);
const davit = join(folder, 'node_modules/.bin/davit');
const node = (...args: string[]) => run(process.execPath, args, { cwd: folder });

/** A user's PATH. The machine's own Node.js, which may be older, precedes that of the folder. */
const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((entry) => !entry.includes('node_modules'))
  .join(delimiter);
const npm = (cwd: string, ...args: string[]) => run('npm', args, { cwd, env: { ...process.env, PATH } });

const packed = () =>
  JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>;
    readonly engines: Readonly<Record<string, string>>;
  };

/** Folders that the tests generated. The compiler runs once for all of them, because most of its time is spent on shared declarations. */
const compiled: string[] = [];

/**
 * Unpacks the tarball, and links its programs as npm does. Its dependencies are linked from this checkout, so that no registry is
 * contacted.
 */
beforeAll(async () => {
  await run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT });
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const modules = join(folder, 'node_modules');
  mkdirSync(own, { recursive: true });
  mkdirSync(join(modules, '.bin'));
  await run('tar', ['-xzf', join(folder, tarball), '-C', own, '--strip-components=1']);
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!['.bin', '.cache'].includes(name)) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  for (const [name, path] of Object.entries(packed().bin)) symlinkSync(join(own, path), join(modules, '.bin', name));
  symlinkSync(join(ROOT, 'node_modules/node/bin/node'), join(modules, '.bin/node'));
  await npm(folder, 'init', '-y');
});

test('contains JavaScript and declarations, but no sources or tests', async () => {
  const { stdout } = await run('find', [own, '-type', 'f']);
  const files = stdout.split('\n');
  for (const name of ['aggregated', 'api', 'controller', 'webhook', 'infra', 'networkpolicy', 'testing'])
    for (const extension of ['js', 'd.ts'])
      expect(
        files.some((file) => file.endsWith(`/dist/exports/${name}.${extension}`)),
        name,
      ).toBe(true);
  expect(files.filter((file) => /(?<!\.d)\.ts$|\.test\./.test(file))).toEqual([]);
});

test('declares the supported versions of Node.js', () => {
  expect(packed().engines).toEqual({ node: '>=24' });
});

/** Creates `name` in `cwd` with the command that a user types, and runs its tests. Returns the output of the tests. */
async function create(cwd: string, what: string, name: string, ...options: string[]): Promise<string> {
  const { stdout: created } = await npm(cwd, 'exec', '--no', '--', 'davit', 'new', what, name, ...options);
  const [, command = ''] = /^Test it with: npm (.*)$/m.exec(created) ?? [];
  const { stdout, stderr } = await npm(cwd, ...command.split(' '));
  const sources = readdirSync(join(cwd, name), { recursive: true, encoding: 'utf8' });
  compiled.push(...sources.filter((path) => path.endsWith('.ts')).map((path) => join(cwd, name, path)));
  return `${stdout}${stderr}`;
}

test.each(['reconciler', 'webhook', 'crd', 'aggregated-api'])(
  'a new %s passes its own test in a folder of npm init, whatever Node.js is on the PATH',
  async (what) => {
    expect(await create(folder, what, `my-${what}`)).toContain('pass 1');
  },
);

const APP = `import { App } from 'aws-cdk-lib';
import { parseContext, PlatformStack, Reconciler, Webhook } from '@davit-dev/davit/infra';

const app = new App();
const platform = new PlatformStack(app, 'Plane', parseContext({ admin: 'arn:aws:iam::123456789012:role/Admin' }));
new Reconciler(platform, 'Sites', { entry: 'sites.ts', memory: 512 });
new Webhook(platform, 'Titles', { entry: 'sites.ts' });
`;

test("a user's own CDK app deploys a control plane as a stack, with the user's functions", async () => {
  const cwd = join(folder, 'app');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{"type":"module"}');
  copyFileSync(join(ROOT, 'test/support/fixtures/functions/sites.ts'), join(cwd, 'sites.ts'));
  writeFileSync(join(cwd, 'app.ts'), APP);
  compiled.push('app/app.ts');
  const out = join(folder, 'cdk.out');
  await run(process.execPath, ['app.ts'], { cwd, env: { ...process.env, CDK_OUTDIR: out } });
  const { Resources } = JSON.parse(readFileSync(join(out, 'Plane.template.json'), 'utf8')) as {
    Resources: Record<string, { Type: string; Properties: { Code: { S3Key: string }; MemorySize: number } }>;
  };
  const functions = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::Lambda::Function');
  expect(functions.map(([id]) => id.replace(/Function[0-9A-F]{8}$/, '')).toSorted()).toEqual([
    'Api',
    'Doorbell',
    'Reconcilers',
    'Scheduler',
    'Sites',
    'Titles',
  ]);
  for (const [, { Properties }] of functions) {
    const bundle = join(out, `asset.${Properties.Code.S3Key.replace('.zip', '')}`);
    expect(readdirSync(bundle)).toEqual(expect.arrayContaining(['index.js', 'package.json']));
  }
});

test('overwrites no existing file, and a definition has types', async () => {
  const again = node(davit, 'new', 'crd', 'my-crd');
  await expect(again).rejects.toMatchObject({ stderr: expect.stringContaining('already exists') });
  const { stdout } = await node(davit, 'types', join('my-crd', 'my-crd.crd.yaml'));
  expect(stdout).toContain('export interface MyCrd extends KubernetesObject');
});

const newest = await newestKubectl();

test('kubectl finds the plugin if the programs of the package are on the PATH', needing(newest), async () => {
  const kubectl = pathOf(newest);
  const bin = join(folder, 'node_modules/.bin');
  const env = { ...process.env, PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter) };
  const ask = (...args: string[]) => run(kubectl, args, { cwd: folder, env });
  expect((await ask('plugin', 'list')).stdout).toContain(join(bin, 'kubectl-davit'));
  expect((await ask('davit', 'trace', '--help')).stdout).toContain('Usage: kubectl davit trace');
});

test('contains the kubectl plugin', async () => {
  const bin = join(own, 'bin');
  const { stdout } = await node(join(bin, 'kubectl-davit.mjs'), 'trace', '--help');
  expect(stdout).toContain('Usage: kubectl davit trace');
  expect((await node(join(bin, 'kubectl_complete-davit.mjs'), 'tr')).stdout).toMatch(/^trace\t.*\n:4\n$/);
});

/** A folder without a package.json in it or above it, where the package can be resolved. */
function freshFolder(): string {
  const fresh = mkdtempSync(join(tmpdir(), 'davit-fresh-'));
  symlinkSync(join(folder, 'node_modules'), join(fresh, 'node_modules'));
  return fresh;
}

test.each([
  ['red-site', 'pass 2', '--conversion'],
  ['class', 'pass 1'],
])('a new operator called %s passes its own tests, without a warning', async (name, passed, ...options) => {
  const said = await create(freshFolder(), 'operator', name, ...options);
  expect(said).toContain(passed);
  expect(said).not.toContain('Warning');
});

test('scaffolds and the app compile with their own settings, and the compiler rejects a misspelt field', async () => {
  const made = readFileSync(join(folder, 'my-reconciler/my-reconciler.ts'), 'utf8');
  const planted = made.replace(/^.*found\.data/m, (line) => line.replace('.data', '.dtaa'));
  expect(planted).not.toBe(made);
  writeFileSync(join(folder, 'app/misspelt.ts'), planted);
  expect(compiled.filter((file) => file.endsWith('.test.ts'))).toHaveLength(7);
  expect(compiled).toContain('app/app.ts');
  const faults = await compile(...compiled, 'app/misspelt.ts');
  expect(faults.trim().split('\n')).toEqual([expect.stringMatching(/^app\/misspelt\.ts\(.*'dtaa' does not exist/)]);
});

/** The compiler's errors with the settings of a new folder, one per line. */
async function compile(...files: readonly string[]): Promise<string> {
  const settings = { extends: './my-reconciler/tsconfig.json', files };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  return run(join(ROOT, 'node_modules/.bin/tsc'), ['--pretty', 'false'], { cwd: folder }).then(
    () => '',
    ({ stdout: faults }: { stdout: string }) => faults,
  );
}

/** Runs `davit start` with a folder of functions, and kubectl against it. */
async function started(
  cwd: string,
  functions: string,
  use: (ask: (...args: string[]) => ReturnType<typeof run>) => Promise<void>,
): Promise<void> {
  const kubectl = pathOf(newest);
  const args = ['start', '--in-memory', '--port', '0', '--functions', functions];
  const server = mortal(spawn(process.execPath, [davit, ...args], { cwd }));
  try {
    let kubeconfig = '';
    for await (const line of createInterface({ input: server.stdout })) {
      kubeconfig = /export KUBECONFIG=(\S+)/.exec(line)?.[1] ?? '';
      if (kubeconfig !== '') break;
    }
    await use((...asked) => run(kubectl, ['--kubeconfig', kubeconfig, ...asked], { cwd }));
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
}

test('a new reconciler runs in davit start', needing(newest), async () => {
  await started(folder, 'my-reconciler', async (ask) => {
    await ask('create', 'configmap', 'mine', '--from-literal=a=1');
    await ask('label', 'configmap', 'mine', 'my-reconciler=yes');
    const report = () => ask('get', 'configmap', 'mine-report', '-o', 'jsonpath={.data.keys}');
    expect((await eventually(report)).stdout).toBe('1');
  });
});

test(
  'a new operator runs in davit start: its definition, its reconciler and its webhook',
  needing(newest),
  async () => {
    const cwd = freshFolder();
    await run(process.execPath, [davit, 'new', 'operator', 'red-site'], { cwd });
    await started(cwd, 'red-site', async (ask) => {
      await eventually(() => ask('get', 'crd', 'redsites.example.com'));
      // kubectl fails without waiting if a definition has no conditions yet
      await eventually(() => ask('wait', '--for=condition=Established', 'crd/redsites.example.com'));
      const mine = { apiVersion: 'example.com/v1', kind: 'RedSite', metadata: { name: 'mine' }, spec: { size: 3 } };
      writeFileSync(join(cwd, 'mine.json'), JSON.stringify(mine));
      await eventually(() => ask('create', '-f', 'mine.json'));
      await ask('wait', '--for=condition=Ready', 'redsite/mine');
      expect((await ask('get', 'configmap', 'mine', '-o', 'jsonpath={.data.size}')).stdout).toBe('3');
      const smaller = ask('patch', 'redsite', 'mine', '--type=merge', '-p', '{"spec":{"size":2}}');
      await expect(smaller).rejects.toMatchObject({
        stderr: expect.stringContaining('cannot become smaller: it is 3'),
      });
    });
  },
);
