import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Kind, KubernetesObject } from '#lib/client/typed-client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import type { Invocation } from '#lib/sdk/invocation/invocation.ts';
import { eventually } from '#test/support/eventually.ts';
import { gather, type Trace } from '../kubectl/gather.ts';
import { invocationsText } from '../kubectl/invocation-text.ts';
import { type Kubectl, kubectl } from '../kubectl/kubectl.ts';
import { type RunningApiserver, startApiserver } from '../start-apiserver.ts';

const CONFIG_MAP: Kind = { apiVersion: 'v1', kind: 'ConfigMap' };
const FUNCTION = `
import { defineReconciler } from '@davit-dev/davit/controller';
console.log('it is loaded');
export const maps = defineReconciler(
  { name: 'maps', for: { apiVersion: 'v1', kind: 'ConfigMap' }, predicates: { labelSelector: 'mine' } },
  async (_request, { object, client, log }) => {
    const found: any = await object();
    if (found === undefined) return undefined;
    log.info('looked', { rooms: 3, at: { floor: 1 } });
    console.log('it is %s', found.data.is);
    await Promise.resolve();
    console.warn('careful');
    if (found.data.is === 'bad') throw new Error('no room');
    if (found.data.is === 'greedy') await client.list({ apiVersion: 'v1', kind: 'Secret' });
    return undefined;
  },
);
`;
const lineOf = (text: string): number => FUNCTION.split('\n').findIndex((line) => line.includes(text)) + 1;

const folder = mkdtempSync(join(tmpdir(), 'davit-tracing-'));
const logged: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[] = [];
let server: RunningApiserver;
let ask: Kubectl;

beforeAll(async () => {
  writeFileSync(join(folder, 'maps.ts'), FUNCTION);
  const line = (message: string, fields = {}): void => void logged.push({ message, fields });
  server = await startApiserver({ functionsFolder: folder, log: { info: line, error: line } });
  writeFileSync(join(folder, 'kubeconfig'), server.kubeconfig);
  ask = kubectl(['--kubeconfig', join(folder, 'kubeconfig'), '--cache-dir', join(folder, '.cache')], 'kubectl');
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const make = (name: string, is: string): Promise<KubernetesObject> => {
  const metadata = { namespace: 'default', name, labels: { mine: '' } };
  return server.client.create({ ...CONFIG_MAP, metadata, data: { is } } as KubernetesObject);
};
const traced = (name: string): Promise<Trace> =>
  eventually(async () => {
    const found = await gather(ask, [`configmap/${name}`]);
    expect(found.invocations.length).toBeGreaterThan(0);
    return found;
  });

test("records the logger's and the console's lines with their call, with all fields", async () => {
  await make('good', 'good');
  const { invocations } = await traced('good');
  expect(invocations[0]?.logs).toMatchObject([
    { level: 'info', message: 'looked', fields: { rooms: 3, at: { floor: 1 } } },
    { level: 'info', message: 'it is good' },
    { level: 'error', message: 'careful' },
  ]);
  expect(invocationsText(invocations, { logs: true, head: false })).toContain(`    looked rooms=3 at={"floor":1}\n`);
  const own = logged.find(({ message }) => message === 'it is good');
  expect(own?.fields).toEqual({ reconciler: 'maps', invocation: invocations[0]?.id });
  expect(logged).toContainEqual({ message: 'it is loaded', fields: { file: 'maps.ts' } });
});

test.each([
  ['bad', 'no room', `throw new Error('no room')`],
  ['greedy', 'secrets is forbidden', 'client.list('],
])('reports a failure with its location in the source: %s', async (is, message, source) => {
  await make(is, is);
  const { invocations } = await traced(is);
  const place = `${join(folder, 'maps.ts')}:${lineOf(source)}:`;
  expect(invocations[0]).toMatchObject({ outcome: 'Error', message: expect.stringContaining(message) });
  expect(invocations[0]?.at).toMatch(place);
  const text = invocationsText(invocations, { logs: true, head: false });
  expect(text).toContain(`(${place}`);
  expect(text).not.toContain('namespace=default');
  await server.client.delete(CONFIG_MAP, { namespace: 'default', name: is });
});

test('counts attempts and failures under the names of controller-runtime', async () => {
  await make('counted', 'bad');
  const text = (): Promise<string> => ask.run(['get', '--raw', '/metrics']);
  const value = async (series: string): Promise<number> =>
    Number(
      (await text())
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );
  const failed = await value('controller_runtime_reconcile_errors_total{controller="maps"}');
  expect(await value('controller_runtime_reconcile_total{controller="maps",result="success"}')).toBeGreaterThan(0);
  expect(await value('controller_runtime_reconcile_time_seconds_count{controller="maps"}')).toBeGreaterThan(0);
  expect(await value('controller_runtime_max_concurrent_reconciles{controller="maps"}')).toBe(10);
  expect(await value('workqueue_adds_total{name="maps"}')).toBeGreaterThan(0);
  await eventually(async () =>
    expect(await value('controller_runtime_reconcile_errors_total{controller="maps"}')).toBeGreaterThan(failed),
  );
  expect(await text()).not.toContain('controller="namespace"');
  await server.client.delete(CONFIG_MAP, { namespace: 'default', name: 'counted' });
});

test('excludes calls for a former object of the same name from those of the new one', async () => {
  await make('again', 'good');
  const first = await traced('again');
  const uids = async (): Promise<readonly (string | undefined)[]> => {
    const page = await ask.get('/debug/davit/invocations?function=maps&name=again');
    return (page as { readonly items: readonly Invocation[] }).items.map((one) => one.object?.uid);
  };
  await server.client.delete(CONFIG_MAP, { namespace: 'default', name: 'again' });
  await eventually(async () => expect((await uids()).length).toBeGreaterThan(first.invocations.length));
  expect(new Set(await uids())).toEqual(new Set([uidOf(first.object)]));
  const made = await make('again', 'good');
  const { object, invocations } = await traced('again');
  const uid = uidOf(object);
  expect(uid).toBe(uidOf(made as unknown as JsonObject));
  expect(invocations.map((one) => one.object?.uid)).toEqual(invocations.map(() => uid));
});
