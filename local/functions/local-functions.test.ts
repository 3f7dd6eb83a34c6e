import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Logger } from '#lib/client/controller/logger.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { type RunningApiserver, startApiserver } from '../start-apiserver.ts';

const folder = mkdtempSync(join(tmpdir(), 'davit-functions-'));
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const logged: string[] = [];
const loggedFields = new Map<string, object>();
/** Has a time-out so long that no function exceeds it on a busy machine. */
let server: RunningApiserver;
let send: Requester;
/** A server with a time-out of half a second. All its functions loop forever. */
let hasty: RunningApiserver;
const hastyFolder = mkdtempSync(join(tmpdir(), 'davit-functions-'));

const MAPS = '/api/v1/namespaces/default/configmaps';
/** Writes its input into the annotation `seen` of labelled config maps. */
const reconciler = (name: string, body: string): string => `
import { defineReconciler } from '@davit-dev/davit/controller';
export const it = defineReconciler(
  {
    name: '${name}',
    for: { apiVersion: 'v1', kind: 'ConfigMap' },
    predicates: { labelSelector: 'for=${name}', changed: ['any'] },
  },
  async (request, { object, client, signal }) => {
    const map: any = await object();
    if (map === undefined) return undefined;
    ${body}
  },
);
`;
const seen = (text: string): string =>
  `if (map.metadata.annotations?.seen !== '${text}')
      await client.patch({ apiVersion: 'v1', kind: 'ConfigMap' }, request, { metadata: { annotations: { seen: '${text}' } } });
    return undefined;`;

const HOOK = `
import { defineValidating, denied } from '@davit-dev/davit/webhook';
const rules = [{ operations: ['CREATE' as const], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }];
export const hook = defineValidating({ name: 'hook', rules, timeoutSeconds: 1 }, (secret: any) => {
  if (secret.metadata.name === 'bad') throw denied('not this one');
  if (secret.metadata.name === 'loop') for (;;) {}
});
`;

const aggregatedApi = (name: string): string => `
import { defineAggregatedApi, defineAggregatedResource } from '@davit-dev/davit/aggregated';
const storage = { list: async () => { throw new Error('no shelf'); } };
export const api = defineAggregatedApi({
  name: '${name}',
  group: 'books.example.com',
  version: 'v1',
  resources: [defineAggregatedResource({ name: 'books', kind: 'Book', storage })],
});
`;

const shown = (): string => logged.join('\n');
const make = (name: string, label: string, to = send) =>
  to('POST', MAPS, { metadata: { name, labels: { for: label } } });
const seenOf = async (name: string, from = send): Promise<string | undefined> => {
  const { body } = await from('GET', `${MAPS}/${name}`);
  return stringAt(objectAt(objectAt(body, 'metadata'), 'annotations'), 'seen');
};
const notesOf = async (name: string, from = send, namespace = 'default'): Promise<string[]> => {
  const { body } = await from('GET', `/apis/events.k8s.io/v1/namespaces/${namespace}/events`);
  const events = (body['items'] ?? []) as JsonObject[];
  const about = events.filter((event) => stringAt(objectAt(event, 'regarding'), 'name') === name);
  return about.map((event) => stringAt(event, 'note') ?? '');
};

beforeAll(async () => {
  write('good.ts', reconciler('good', seen('first')));
  write(
    'crash.ts',
    reconciler('crash', `setTimeout(() => { throw new Error('boom'); }); return new Promise(() => {});`),
  );
  write(
    'greedy.ts',
    reconciler(
      'greedy',
      `await client.delete({ apiVersion: 'v1', kind: 'Namespace' }, { namespace: '', name: 'spare' });`,
    ),
  );
  write('wrong.ts', 'export const broken = (;');
  const error: Logger['error'] = (text, fields = {}) => {
    logged.push(text);
    loggedFields.set(text, fields);
  };
  const log = { info: (text: string) => void logged.push(text), error };
  server = await startApiserver({ functionsFolder: folder, functionLimits: { timeout: 300_000, memory: 64 }, log });
  send = requester(server);
  writeFileSync(join(hastyFolder, 'loop.ts'), reconciler('loop', 'for (;;) {}'));
  writeFileSync(join(hastyFolder, 'good.ts'), reconciler('good', seen('first')));
  writeFileSync(join(hastyFolder, 'hook.ts'), HOOK);
  hasty = await startApiserver({ functionsFolder: hastyFolder, functionLimits: { timeout: 500 }, log });
});
afterAll(async () => {
  await Promise.all([server.close(), hasty.close()]);
  rmSync(folder, { recursive: true });
  rmSync(hastyFolder, { recursive: true });
});

test('reports a file that cannot be loaded, and runs the others', async () => {
  expect(logged.join('\n')).toContain('functions: wrong.ts is not loaded');
  await make('one', 'good');
  await eventually(async () => (await seenOf('one')) === 'first', shown);
});

test('reloads a saved file, reconciles all objects again, and keeps its permissions', async () => {
  const role = async (): Promise<unknown> => {
    const { body } = await send('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/davit:function:good');
    return stringAt(objectAt(body, 'metadata'), 'uid');
  };
  await make('saved', 'good');
  await eventually(async () => (await seenOf('saved')) === 'first', shown);
  const before = await role();
  write('good.ts', reconciler('good', seen('second')));
  await eventually(async () => (await seenOf('saved')) === 'second', shown);
  expect([before, await role()]).toEqual([expect.any(String), before]);
  write('good.ts', 'export const broken = (;');
  await eventually(() => logged.some((line) => line.includes('good.ts is not loaded')), shown);
  await make('kept', 'good');
  await eventually(async () => (await seenOf('kept')) === 'second', shown);
});

test('runs a new file, and stops a deleted one', async () => {
  write('late.ts', reconciler('late', seen('late')));
  await make('late', 'late');
  await eventually(async () => (await seenOf('late')) === 'late', shown);
  rmSync(join(folder, 'late.ts'));
  await eventually(() => logged.includes('functions: late.ts is gone'), shown);
  await make('later', 'late');
  await make('marker', 'good');
  await eventually(async () => (await seenOf('marker')) === 'second', shown);
  expect(await seenOf('later')).toBeUndefined();
  const account = '/api/v1/namespaces/davit-functions/serviceaccounts';
  await eventually(async () => (await send('GET', `${account}/late`)).status === 404, shown);
  expect((await send('GET', `${account}/good`)).status).toBe(200);
});

test.each<[string, string, string, () => Requester]>([
  ['crash', 'boom', 'second', () => send],
  ['loop', 'loop was not done after 500 ms', 'first', () => requester(hasty)],
])('reports the end of a %s on the object, and continues to serve the API', async (name, note, good, to) => {
  await make(`its-${name}`, name, to());
  let most = 0;
  await eventually(async () => {
    const before = process.threadCpuUsage();
    const notes = await notesOf(`its-${name}`, to());
    const { user, system } = process.threadCpuUsage(before);
    most = Math.max(most, user + system);
    return notes.some((text) => text.includes(note));
  }, shown);
  expect(most, 'microseconds of the thread that answers').toBeLessThan(400_000);
  expect(logged.join('\n')).toContain(note);
  await make(`beside-${name}`, 'good', to());
  await eventually(async () => (await seenOf(`beside-${name}`, to())) === good, shown);
});

/** Files that send forged declarations, which only the worker may send. */
const FORGED = [
  ['reconcilers: [{}], webhooks: [], apis: []', 'reconciler declaration: '],
  ['reconcilers: [], webhooks: [{}], apis: []', 'webhook declaration: '],
  ['reconcilers: [], webhooks: [], apis: [{}]', 'aggregated API declaration: '],
  ['reconcilers: []', 'declarations: must be a list'],
].map(([declared = '', line = ''], i): [string, string, string] => [
  `forged${i}.ts`,
  `import { parentPort } from 'node:worker_threads';\nparentPort!.postMessage({ type: 'loaded', ${declared} });\nawait new Promise(() => {});`,
  `forged${i}.ts is not loaded: ${line}`,
]);

test.each([
  ['exit.ts', 'process.exit(0);', 'exit.ts is not loaded: ended itself with code 0'],
  ['syntax.ts', '\nexport const x: = 5;', 'syntax.ts is not loaded: syntax.ts:2: '],
  ['thrown.ts', `throw new Error('at load\\nand more');`, 'thrown.ts is not loaded: at load'],
  ['none.ts', `import './not-there.ts';`, 'none.ts is not loaded: Cannot find module'],
  [
    'twice.ts',
    reconciler('twice', '') +
      reconciler('twice', '')
        .replace('const it', 'const other')
        .replace(/import.*/, ''),
    'twice.ts is not loaded: twice is declared twice',
  ],
  ['other.ts', reconciler('good', ''), 'other.ts is not loaded: good is declared in good.ts'],
  ['name.ts', reconciler('Bad', ''), 'name.ts is not loaded: reconciler declaration: name: must be a DNS label'],
  [
    'odd.ts',
    `import { parentPort } from 'node:worker_threads';\nparentPort!.postMessage(null);\nawait new Promise(() => {});`,
    'odd.ts is not loaded: ',
  ],
  ...FORGED,
])('reports %s in one line', async (name, text, line) => {
  write(name, text);
  await eventually(() => logged.some((one) => one.startsWith(`functions: ${line}`)), shown);
  expect(logged.filter((one) => one.startsWith(`functions: ${name}`))).toHaveLength(1);
  expect(logged.join('').includes('\n')).toBe(false);
  rmSync(join(folder, name));
});

test('loads other files if one never finishes loading', async () => {
  write('forever.ts', 'for (;;);');
  await make('meanwhile', 'good');
  write('quick.ts', reconciler('quick', seen('quick')));
  await make('its-quick', 'quick');
  await eventually(async () => (await seenOf('its-quick')) === 'quick', shown);
  expect(logged.filter((line) => line.includes('forever.ts'))).toEqual([]);
  write('forever.ts', 'export const done = true;'); // and the load of the previous version is abandoned
  rmSync(join(folder, 'quick.ts'));
  await eventually(() => logged.includes('functions: quick.ts is gone'), shown);
});

test('loads the last of many quick saves', async () => {
  const broken = 'export const broken = (;';
  for (let i = 0; i < 40; i++) {
    write('storm.ts', i % 3 === 0 ? broken : reconciler('storm', seen(`save ${i}`)));
    await sleep(i % 7 === 0 ? 60 : 2);
  }
  write('storm.ts', reconciler('storm', seen('the last')));
  await make('its-storm', 'storm');
  await eventually(async () => (await seenOf('its-storm')) === 'the last', shown);
  await make('beside-storm', 'good');
  await eventually(async () => (await seenOf('beside-storm')) === 'second', shown);
});

test('reports that a file exports no function if an export was forgotten', async () => {
  write('private.ts', aggregatedApi('private').replace('export const', 'const'));
  await eventually(() => logged.includes('functions: private.ts exports no function'), shown);
});

test('rejects a file that serves the group version of another', async () => {
  write('shelf.ts', aggregatedApi('shelf'));
  await eventually(() => logged.some((line) => line.includes('shelf.ts is loaded')), shown);
  write('twin.ts', aggregatedApi('twin'));
  const refusal = 'functions: twin.ts is not loaded: books.example.com/v1 is served by shelf in shelf.ts';
  await eventually(() => logged.includes(refusal), shown);
});

test('logs the location and the request if a function of an API throws', async () => {
  expect((await send('GET', '/apis/books.example.com/v1/books')).status).toBe(500);
  const fields = { verb: 'list', resource: 'books', at: expect.stringMatching(/shelf\.ts:\d+:\d+$/) };
  expect(loggedFields.get('no shelf')).toMatchObject(fields);
});

test('does not start without the folder', async () => {
  const missing = startApiserver({ functionsFolder: join(folder, 'none') });
  await expect(missing).rejects.toThrow(/none: there is no such place/);
});

test("rejects requests beyond a reconciler's declaration, until a role allows them", async () => {
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'spare' } });
  await make('its-greedy', 'greedy');
  const user = 'system:serviceaccount:davit-functions:greedy';
  const refusal = `namespaces "spare" is forbidden: User "${user}" cannot delete resource "namespaces" in API group ""`;
  await eventually(async () => (await notesOf('its-greedy')).some((note) => note.startsWith(refusal)), shown);
  await send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'greedy' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'davit-functions', name: 'greedy' }],
  });
  await eventually(async () => (await send('GET', '/api/v1/namespaces/spare')).status === 404, shown);
});

test('if a webhook loops, fails the request, reports it on its Service, and restarts the webhook', async () => {
  const to = requester(hasty);
  const secret = (name: string) => to('POST', '/api/v1/namespaces/default/secrets', { metadata: { name } });
  await eventually(async () => {
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/hook.webhooks.davit.dev';
    return (await to('GET', path)).status === 200;
  }, shown);
  const judges = async () => String((await secret('bad')).body['message']).includes('not this one');
  await eventually(judges, shown); // the time-out is one second, and its thread may still be starting
  const looped = await secret('loop');
  expect([looped.status, looped.body['message']]).toEqual([500, expect.stringContaining('failed calling webhook')]);
  await eventually(
    async () => (await notesOf('hook', to, 'davit-system')).some((note) => note.includes('hook.ts')),
    shown,
  );
  await eventually(judges, shown);
});
