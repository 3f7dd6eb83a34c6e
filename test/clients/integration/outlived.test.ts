import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { START_FLAGS } from '#bench/server.ts';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import { eventually } from '#test/support/eventually.ts';
import { ApiConnection } from './api-connection.ts';
import { DataDirectory, DavitProcess, startMain } from './davit-process.ts';

const MAIN = [...START_FLAGS, join(import.meta.dirname, '../../../build/main.js')];
const FULL = '/dev/full';
if (!existsSync(FULL)) console.warn(`a server whose log is on a full disk skips: no ${FULL}`);

/** Flags for a server that writes an audit line to its standard output for each request. */
function audited(directory: string): string[] {
  const policy = join(directory, 'policy.yaml');
  writeFileSync(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n');
  return ['--audit-policy-file', policy, '--audit-log-path=-'];
}

/** Makes `node` run `script` before the server. */
const before = (script: string) => ({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` });

/** The number of errors of this origin that the server survived. */
async function outlived(api: ApiConnection, origin: string): Promise<number> {
  const { text } = await api.send('GET', '/metrics');
  return Number(new RegExp(`^davit_unhandled_errors_total{origin="${origin}"} (\\d+)$`, 'm').exec(text)?.[1]);
}

async function expectServed(api: ApiConnection): Promise<void> {
  for (const name of ['one', 'two', 'three']) {
    const { status } = await api.send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name } });
    expect(status).toBe(201);
  }
}

test('a server continues to serve after its output is no longer read', async () => {
  using directory = new DataDirectory();
  await using davit = await DavitProcess.start(directory.path, 0, audited(directory.path));
  davit.program.child.stdout?.destroy();
  davit.program.child.stderr?.destroy();
  using api = davit.connect();
  await expectServed(api);
  expect(await outlived(api, 'stdout')).toBeGreaterThanOrEqual(3);
  expect(davit.program.child.exitCode).toBeNull();
});

test.runIf(existsSync(FULL))('a server starts and serves while the disk of its log is full', async () => {
  using directory = new DataDirectory();
  const flags = ['--port', '0', '--data-dir', directory.path, ...audited(directory.path)];
  const command = ['-c', `exec "$@" > ${FULL} 2>&1`, 'sh', process.execPath, ...MAIN, ...flags];
  await using program = new RunningProgram('sh', command);
  const kubeconfig = join(directory.path, 'kubeconfig');
  await eventually(() => expect(existsSync(kubeconfig) || program.child.exitCode !== null).toBe(true));
  using api = new ApiConnection(readFileSync(kubeconfig, 'utf8'));
  await expectServed(api);
  expect(await outlived(api, 'stdout')).toBeGreaterThanOrEqual(3);
});

test('a server logs and counts unhandled errors, and continues to serve', async () => {
  using directory = new DataDirectory();
  const faults = before(`process.on('SIGUSR2', () => {
    Promise.reject(new Error('a lost promise'));
    setTimeout(() => { throw new Error('a lost timer'); });
  });`);
  await using program = startMain(['--port', '0', '--data-dir', directory.path], faults);
  await program.says(/kubectl get namespaces/);
  using api = new ApiConnection(readFileSync(join(directory.path, 'kubeconfig'), 'utf8'));
  expect(await outlived(api, 'uncaughtException')).toBe(0);
  program.child.kill('SIGUSR2');
  await eventually(async () => expect(await outlived(api, 'uncaughtException')).toBe(1));
  expect(await outlived(api, 'unhandledRejection')).toBe(1);
  await expectServed(api);
  const lines = (): string[] => program.stderr.split('\n').filter((line) => line.includes('a lost')); // slow requests are also logged
  await eventually(() => expect(lines()).toHaveLength(2));
  const logged = lines().map((line) => JSON.parse(line) as Record<string, string>);
  expect(logged).toMatchObject([
    { level: 'error', origin: 'unhandledRejection', stack: expect.stringMatching(/^Error: a lost promise\n/) },
    { level: 'error', origin: 'uncaughtException', stack: expect.stringMatching(/^Error: a lost timer\n/) },
  ]);
});

test('an unhandled error ends a server that has not started', async () => {
  using directory = new DataDirectory();
  const fault = before(`setImmediate(() => { throw new Error('too early'); });`);
  await using program = startMain(['--port', '0', '--data-dir', directory.path], fault);
  const { code, stderr } = await program.ended();
  expect(code).toBe(1);
  expect(stderr).toContain('Error: too early');
});
