import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ApiConnection } from '#adapters/server/http/api-connection.ts';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { eventually } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { mortal } from '#test/support/mortal.ts';
import { TEMPLATES } from '../commands/templates.ts';
import { type RunningApiserver, startApiserver } from '../start-apiserver.ts';

const MAIN = join(import.meta.dirname, '../main.ts');
const MAP = { apiVersion: 'v1', kind: 'ConfigMap' } as const;
const LEASE = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' } as const;
interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}
interface Lease extends KubernetesObject {
  readonly spec: { readonly holderIdentity?: string };
}

const folder = mkdtempSync(join(tmpdir(), 'davit-run-'));
const file = join(folder, 'reports.ts');
const kubeconfig = join(folder, 'kubeconfig');
const children: ChildProcess[] = [];
let server: RunningApiserver;

/** A reconciler as `davit new` writes it. It uses the service account from its manifests. */
beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(join(folder, 'wrong.ts'), 'export const one = 1;\nexport const two = ;\n');
  const source = TEMPLATES.reconciler('reports', {})['reports.ts'] ?? '';
  writeFileSync(file, source.replace(/^ {2}async .*=> \{$/m, '$&\nconsole.log("looks at %s", name);'));
  server = await startApiserver();
  const asked = ['manifests', file, '--namespace', 'team', '--image', 'registry.example/reports:1'];
  const { stdout: manifests } = await promisify(execFile)(process.execPath, [MAIN, ...asked]);
  for (const document of parseAllDocuments(manifests)) await server.client.create(document.toJS() as KubernetesObject);
  writeFileSync(join(folder, 'ca.crt'), server.certificateAuthority);
  writeFileSync(join(folder, 'token'), await tokenOf('reports'));
  writeFileSync(
    kubeconfig,
    `
current-context: one
contexts: [{name: one, context: {cluster: c, user: u, namespace: team}}]
clusters: [{name: c, cluster: {server: "${server.url}", certificate-authority: ca.crt}}]
users: [{name: u, user: {tokenFile: token}}]
`,
  );
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await server.close();
  rmSync(folder, { recursive: true });
});

async function tokenOf(name: string): Promise<string> {
  const response = await fetchJson(`/api/v1/namespaces/team/serviceaccounts/${name}/token`);
  return (response as { status: { token: string } }).status.token;
}

async function fetchJson(path: string): Promise<unknown> {
  const connection = new ApiConnection({
    url: server.url,
    caBundle: server.certificateAuthority,
    credentials: { token: async () => server.adminToken },
  });
  const body = Buffer.from('{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{}}');
  const answer = await connection.handle({
    method: 'POST',
    path,
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json' },
    body: async () => body,
    signal: () => new AbortController().signal,
  });
  connection[Symbol.dispose]();
  return JSON.parse(Buffer.from(answer.body as Uint8Array).toString());
}

function start(...more: string[]): { child: ChildProcess; log: () => string } {
  return startWith({}, ...more);
}

function startWith(env: Readonly<Record<string, string>>, ...more: string[]): ReturnType<typeof start> {
  const args = [MAIN, 'run', file, '--kubeconfig', kubeconfig, '--lease-name', 'reports', ...more];
  const child = mortal(
    spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] }),
  );
  children.push(child);
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, log: () => text };
}

const textAt = async (port: number, path: string): Promise<string> =>
  (await fetch(`http://127.0.0.1:${port}/${path}`)).text();

const make = (name: string) =>
  server.client.create<ConfigMap>({
    ...MAP,
    metadata: { namespace: 'default', name, labels: { reports: 'yes' } },
    data: { a: '1' },
  });
const keysOf = async (name: string): Promise<string | undefined> =>
  (await server.client.get<ConfigMap>(MAP, { namespace: 'default', name: `${name}-report` }))?.data?.['keys'];
const holder = async (): Promise<string | undefined> =>
  (await server.client.get<Lease>(LEASE, { namespace: 'team', name: 'reports' }))?.spec.holderIdentity;

test('reconciles in a separate process with the permissions of its manifests; one of two works, and the other takes over', async () => {
  await make('before');
  const [health, metrics] = [await freePort(), await freePort()];
  const first = start(`--health-probe-bind-address=127.0.0.1:${health}`, `--metrics-bind-address=127.0.0.1:${metrics}`);
  await eventually(async () => expect(await keysOf('before')).toBe('1'));
  for (const path of ['healthz', 'readyz']) expect(await textAt(health, path)).toBe('ok');
  expect(first.log()).toMatch(
    /^\{"timestamp":"[^"]+Z","level":"info","message":"looks at before","reconciler":"reports"\}$/m,
  );
  const told = await textAt(metrics, 'metrics');
  expect(told).toMatch(/^controller_runtime_reconcile_total\{controller="reports",result="success"\} [1-9]/m);
  expect(told).toMatch(/^workqueue_adds_total\{name="reports"\} [1-9]/m);
  expect(told).toMatch(/^process_resident_memory_bytes /m);
  const second = start();
  await make('while');
  await eventually(async () => expect(await keysOf('while')).toBe('1'));
  await eventually(() => expect(second.log()).toContain('begins'));
  expect(second.log()).not.toContain('reconcilers run');
  await server.client.delete(MAP, { namespace: 'default', name: 'while-report' });
  await eventually(async () => expect(await keysOf('while')).toBe('1'));
  first.child.kill('SIGTERM');
  expect(await once(first.child, 'exit')).toEqual([0, null]);
  await make('after');
  await eventually(async () => expect(await keysOf('after')).toBe('1'));
  second.child.kill('SIGTERM');
  expect(await once(second.child, 'exit')).toEqual([0, null]);
  expect(await holder()).toBe('');
  expect(second.log()).toMatch(/"message":"stopping","signal":"SIGTERM"}\n.*"message":"stopped"}\n$/);
  expect(first.log() + second.log()).not.toMatch(/forbidden|MODULE_TYPELESS/);
});

test('logs and counts an unhandled error, and continues to run the reconcilers', async () => {
  const fault = `process.on('SIGUSR2', () => setTimeout(() => { throw new Error('a lost timer'); }));`;
  const port = await freePort();
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` };
  const { child, log } = startWith(env, `--metrics-bind-address=127.0.0.1:${port}`);
  await eventually(() => expect(log()).toContain('reconcilers run'));
  child.kill('SIGUSR2');
  const count = 'davit_unhandled_errors_total{origin="uncaughtException"} 1\n';
  await eventually(async () => expect(await textAt(port, 'metrics')).toContain(count));
  expect(log()).toMatch(/"level":"error","message":"a lost timer",.*"stack":"Error: a lost timer/);
  await make('outlived');
  await eventually(async () => expect(await keysOf('outlived')).toBe('1'));
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.each([
  ['nothing there', ['run', join(folder, 'none.ts')], 'there is no such place'],
  ['what is wrong', ['run', join(folder, 'wrong.ts')], 'wrong.ts:2: Expression expected'],
  ['no reconciler', ['run', MAIN.replace('main.ts', 'named-file.ts')], 'declares no reconciler'],
])('reports %s in one line', async (_, args, why) => {
  const child = spawn(process.execPath, [MAIN, ...args, '--kubeconfig', kubeconfig], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(text).toContain(why);
  expect(text.trim().split('\n')).toHaveLength(1);
});
