import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Kind, KubernetesObject } from '#lib/client/typed-client.ts';
import { type Condition, findCondition } from '#lib/machinery/conditions.ts';
import { eventually } from '#test/support/eventually.ts';
import { type RunningApiserver, startApiserver } from '../start-apiserver.ts';

interface Probe extends KubernetesObject {
  readonly spec: { readonly body: string };
  readonly status?: { readonly conditions?: readonly Condition[] };
}
interface Told extends KubernetesObject {
  readonly regarding: { readonly name: string };
  readonly reason: string;
  readonly note: string;
}
const PROBE: Kind<Probe> = { apiVersion: 'example.com/v1', kind: 'Probe' };
const EVENT: Kind<Told> = { apiVersion: 'events.k8s.io/v1', kind: 'Event' };

const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'probes.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'probes', kind: 'Probe' },
    versions: [
      { name: 'v1', served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: schema } },
    ],
  },
};

/** Fails as an object's spec requests, or succeeds. */
const FUNCTION = `
import { defineReconciler } from '@davit-dev/davit/controller';
import { defineValidating } from '@davit-dev/davit/webhook';
const rules = [{ operations: ['CREATE' as const], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }];
export const fussy = defineValidating({ name: 'fussy', rules }, ({ metadata }: any) => {
  if (metadata.generateName === 'broken-') throw new TypeError('no such field');
});
export const probe = defineReconciler(
  { name: 'probe', for: { apiVersion: 'example.com/v1', kind: 'Probe' } },
  async (_request, { object }) => {
    const found: any = await object();
    const AsyncFunction: any = (async () => {}).constructor;
    return found === undefined ? undefined : new AsyncFunction(found.spec.body)();
  },
);
`;

const folder = mkdtempSync(join(tmpdir(), 'davit-failures-'));
const logged: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[] = [];
/** Has a time-out so long that no function exceeds it on a busy machine. */
let server: RunningApiserver;
/** Has a time-out of two seconds. */
let hasty: RunningApiserver;

beforeAll(async () => {
  writeFileSync(join(folder, 'probe.ts'), FUNCTION);
  [server, hasty] = await Promise.all([started(300_000), started(2000)]);
});
afterAll(async () => {
  await Promise.all([server.close(), hasty.close()]);
  rmSync(folder, { recursive: true });
});

async function started(timeout: number): Promise<RunningApiserver> {
  const error = (message: string, fields = {}): void => void logged.push({ message, fields });
  const functionLimits = { timeout, memory: 64 };
  const one = await startApiserver({ functionsFolder: folder, functionLimits, log: { info() {}, error } });
  await one.client.create<KubernetesObject>(DEFINITION);
  await eventually(() => one.client.list(PROBE));
  return one;
}

const at = (name: string) => ({ namespace: 'default', name });
const reconciled = async (name: string, { client } = server): Promise<Condition | undefined> =>
  findCondition((await client.get(PROBE, at(name)))?.status?.conditions, 'Reconciled');
const events = async (name: string, { client } = server): Promise<Told[]> =>
  (await client.list(EVENT, { namespace: 'default' })).filter(({ regarding }) => regarding.name === name);

async function failsThenSucceeds(on: RunningApiserver, name: string, body: string, message: RegExp): Promise<void> {
  await on.client.create<Probe>({ ...PROBE, metadata: at(name), spec: { body } });
  await eventually(async () => {
    expect(await reconciled(name, on)).toMatchObject({ status: 'False', reason: 'ReconcileError' });
    const notes = (await events(name, on)).map(({ note }) => note).filter((note) => message.test(note));
    // both the thread and its host enforce the time-out; either may report it, but no message repeats
    expect(notes.length).toBeGreaterThan(0);
    expect(new Set(notes).size).toBe(notes.length);
  });
  expect((await events(name, on)).map(({ reason }) => reason)).toContain('ReconcileError');
  await on.client.patch(PROBE, at(name), { spec: { body: 'return undefined;' } });
  await eventually(async () => expect(await reconciled(name, on)).toMatchObject({ status: 'True' }));
}

test.each([
  ['throw', `throw new Error('no room');`, /^no room$/],
  ['terminal', `return { terminal: 'never' };`, /^never$/],
  ['memory', 'const all = []; for (;;) all.push(new Array(1e5).fill({}));', /took more than 64 MiB of memory/],
  ['crash', `setTimeout(() => { throw new Error('boom'); }); return new Promise(() => {});`, /boom/],
  ['rejection', `Promise.reject(new Error('nobody caught it')); return new Promise(() => {});`, /nobody caught it/],
  ['exit', `process.exit(3);`, /ended itself with code 3/],
  ['no-result', `return { requeueAfter: 'soon' };`, /returned neither undefined, nor/],
  ['no-copy', `return { terminal: 'x', f() {} };`, /could not be cloned/],
])('a failure by %s is an event and a condition, until it succeeds', (name, body, message) =>
  failsThenSucceeds(server, name, body, message),
);

test.each([
  ['timeout', 'return new Promise(() => {});'],
  ['endless-loop', 'for (;;);'],
])('treats a function that exceeds its time-out, by %s, in the same way', (name, body) =>
  failsThenSucceeds(hasty, name, body, /was not done after 2000 ms/),
);

test('logs a failure in one line with its location', async () => {
  const line = logged.find(({ message }) => message === 'no room');
  expect(line?.fields).toMatchObject({ reconciler: 'probe', namespace: 'default', name: 'throw' });
  expect(String(line?.fields['at'])).toContain('probe.ts');
  const memory = logged.find(({ message, fields }) => message.startsWith('took more') && fields['name'] === 'memory');
  expect(memory?.message).toBe('took more than 64 MiB of memory; --function-memory or functions.yaml gives it more');
  expect(memory?.fields).not.toHaveProperty('at');
});

test('counts repeated failures in one event', async () => {
  const body = `throw new Error('again');`;
  await server.client.create<Probe>({ ...PROBE, metadata: at('often'), spec: { body } });
  const attempts = () => logged.filter(({ message }) => message === 'again').length;
  await eventually(() => expect(attempts()).toBeGreaterThan(5));
  expect(await events('often')).toHaveLength(1);
  await server.client.delete(PROBE, at('often'));
});

test('does not call a function again that returns requeueAfter: 0', async () => {
  const body = `
    globalThis.calls = (globalThis.calls ?? 0) + 1;
    if (globalThis.calls === 1) throw new Error('called once');
    if (globalThis.calls > 2) throw new Error('called again');
    return { requeueAfter: 0 };`;
  await server.client.create<Probe>({ ...PROBE, metadata: at('zero'), spec: { body } });
  await eventually(async () => expect(await reconciled('zero', server)).toMatchObject({ status: 'True' }));
  await failsThenSucceeds(server, 'after-zero', `throw new Error('another');`, /^another$/);
  const messages = logged.map(({ message }) => message);
  expect(messages).toContain('called once');
  expect(messages).not.toContain('called again');
});

test('logs a function that runs repeatedly for an unchanged object', async () => {
  await server.client.create<Probe>({ ...PROBE, metadata: at('hot'), spec: { body: 'return { requeueAfter: 1 };' } });
  const line = await eventually(() => {
    const found = logged.find(({ message }) => message.includes('more than 10 times a second'));
    expect(found).toBeDefined();
    return found;
  });
  expect(line?.fields).toMatchObject({ reconciler: 'probe', name: 'hot' });
  await server.client.delete(PROBE, at('hot'));
});

test('reports an error of a webhook to the client, and logs it with its location', async () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', generateName: 'broken-' } };
  await eventually(() => expect(server.client.create(secret)).rejects.toThrow('no such field'));
  const line = logged.find(({ fields }) => fields['webhook'] === 'fussy');
  expect(line).toMatchObject({ message: 'no such field', fields: { at: expect.stringContaining('probe.ts') } });
});
