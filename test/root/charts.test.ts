import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram } from '#test/clients/e2e/program.ts';
import { pathOf } from '#test/support/clients/cache.ts';
import { newestHelm } from '#test/support/clients/kubectl.ts';
import { eventually } from '#test/support/eventually.ts';
import { aWorkload, shell } from './builders.ts';
import { ctr } from './container-runtime.ts';
import { imageArchive } from './images.ts';
import { leftovers, leftoversSoon } from './leftovers.ts';
import { KUBECTL, TestNode } from './test-node.ts';

const CHARTS = join(import.meta.dirname, 'charts');
/** The folders of the volumes of the chart `claims`, and of the log of the chart `hooks`. */
const [VOLUMES, NOTED] = ['/run/volumes', '/run/noted'];
let node: TestNode;
let helm: string;

beforeAll(async () => {
  for (const name of ['one', 'two']) mkdirSync(join(VOLUMES, name), { recursive: true });
  helm = pathOf(await newestHelm());
  node = await TestNode.start('--sync-frequency=5s');
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
});

/** Runs helm. Throws if it fails. */
async function runHelm(...args: readonly string[]): Promise<string> {
  const env = { HELM_CACHE_HOME: node.folder, HELM_CONFIG_HOME: node.folder, HELM_DATA_HOME: node.folder };
  const { code, stdout, stderr } = await runProgram(helm, ['--kubeconfig', node.server.kubeconfig, ...args], { env });
  if (code !== 0) throw new Error(`helm ${args.join(' ')}: ${stderr}`);
  return stdout;
}

const chart = (name: string): string => join(CHARTS, name);
const WAIT = ['--wait', '--timeout=60s'];

test('helm installs, upgrades and rolls back a server and its service', async () => {
  const served = () => node.output('get', '--raw', '/api/v1/namespaces/default/services/web:http/proxy/');
  await runHelm('install', 'web', chart('web'), ...WAIT);
  const ready = 'jsonpath={.items[*].endpoints[*].conditions.ready}';
  const endpoints = () => node.output('get', 'endpointslices', '-l', 'kubernetes.io/service-name=web', '-o', ready);
  await eventually(async () => expect(await endpoints()).toBe('true true'));
  expect(await served()).toBe('first\n');
  await runHelm('upgrade', 'web', chart('web'), '--set=word=second', ...WAIT);
  await eventually(async () => expect(await served()).toBe('second\n'));
  await runHelm('rollback', 'web', '1', ...WAIT);
  await eventually(async () => expect(await served()).toBe('first\n'));
  await runHelm('uninstall', 'web', ...WAIT);
});

test('helm runs the jobs of hooks in their order around a DaemonSet', async () => {
  await runHelm('install', 'hooked', chart('hooks'), ...WAIT);
  await runHelm('test', 'hooked');
  await runHelm('uninstall', 'hooked', ...WAIT);
  expect(readFileSync(join(NOTED, 'log'), 'utf8').trim().split('\n')).toEqual([
    'pre-install',
    'running',
    'post-install',
    'test',
    'pre-delete',
  ]);
});

test('the pods of a StatefulSet keep the local volumes of their claims', async () => {
  await runHelm('install', 'kept', chart('claims'), ...WAIT);
  const log = () => node.output('exec', 'kept-1', '--', 'cat', '/data/log');
  expect(await log()).toBe('kept-1\n');
  await node.output('delete', 'pod', 'kept-1', '--timeout=60s');
  await node.output('rollout', 'status', 'statefulset/kept', '--timeout=60s');
  await eventually(async () => expect((await node.kubectl('exec', 'kept-1', '--', 'true')).code).toBe(0));
  expect(await log()).toBe('kept-1\nkept-1\n');
  await runHelm('uninstall', 'kept'); // its volumes stay until the claims are deleted
  await node.output('delete', 'pvc', '--all', '--timeout=60s');
});

test('an operator in a pod lists, watches and writes by its service account', async () => {
  ctr('images', 'import', imageArchive({ name: 'localhost/kubectl:1', files: { 'bin/kubectl': KUBECTL } }));
  const made = 'kubectl create configmap "made-${name#*/}" --dry-run=client -o yaml | kubectl apply -f -';
  const script = `kubectl get configmaps -l wanted -o name --watch | while read -r name; do ${made}; done`;
  const container = shell(script, { image: 'localhost/kubectl:1' });
  await node.apply(
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'operator' } },
    aWorkload('Deployment', 'operator', {
      template: {
        metadata: { labels: { app: 'operator' } },
        spec: { serviceAccountName: 'operator', terminationGracePeriodSeconds: 1, containers: [container] },
      },
    }),
  );
  const account = '--serviceaccount=default:operator';
  await node.output('create', 'role', 'operator', '--resource=configmaps', '--verb=get,list,watch,create,patch');
  await node.output('create', 'rolebinding', 'operator', '--role=operator', account);
  await node.apply(wanted('early'));
  const isMade = async (name: string) => (await node.kubectl('get', 'configmap', `made-${name}`)).code === 0;
  await eventually(() => isMade('early'));
  await node.apply(wanted('late'));
  await eventually(() => isMade('late'));
  await node.output('delete', 'deployment', 'operator', '--wait');
});

const wanted = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { wanted: '' } },
});

test('charts and operators leave no objects on the machine', async () => {
  await eventually(
    () => leftoversSoon(leftovers()).length === 0,
    () => leftoversSoon(leftovers()).join('\n'),
  );
});
