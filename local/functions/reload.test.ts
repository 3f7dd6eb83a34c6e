import { once } from 'node:events';
import { appendFileSync, cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { type RunningApiserver, startApiserver } from '../start-apiserver.ts';

const NOTES = '/apis/notes.example.com/v1/namespaces/default/notes';

const root = mkdtempSync(join(tmpdir(), 'davit-reload-'));
const folder = join(root, 'functions');
const logged: string[] = [];
const faults: string[] = [];
let server: RunningApiserver;
let send: Requester;
beforeAll(async () => {
  const repository = join(import.meta.dirname, '../..');
  cpSync(join(repository, 'examples/aggregated-api'), folder, { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  process.env['NOTES_FILE'] = join(root, 'notes.json');
  const [info, error] = [(text: string) => void logged.push(text), (text: string) => void faults.push(text)];
  server = await startApiserver({
    functionsFolder: folder,
    log: { info, error },
    reportFault: (at, fault) => void faults.push(`${at}: ${String(fault)}`),
  });
  send = requester(server);
});
afterAll(async () => {
  await server.close();
  delete process.env['NOTES_FILE'];
  rmSync(root, { recursive: true });
  expect(faults).toEqual([]);
});

const create = (name: string) => send('POST', NOTES, { metadata: { name }, spec: { text: name } });

interface Event {
  readonly type: string;
  readonly object: {
    readonly metadata: {
      readonly name?: string;
      readonly resourceVersion: string;
      readonly annotations?: Record<string, string>;
    };
  };
}

async function watching(query: string) {
  const headers = { authorization: `Bearer ${server.adminToken}` };
  const opened = request(`${server.url}${NOTES}?watch=true&${query}`, { ca: server.certificateAuthority, headers });
  opened.end();
  const [response] = (await once(opened, 'response')) as [IncomingMessage];
  const events: Event[] = [];
  let rest = '';
  response.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString()}`.split('\n');
    rest = lines.pop() ?? '';
    events.push(...lines.map((line) => JSON.parse(line) as Event));
  });
  return { events, response, ended: once(response, 'end') };
}

test('ends a watch when its file is saved, and its client resumes', async () => {
  await create('one');
  const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const first = await watching(query);
  await eventually(() => expect(first.events).toHaveLength(2));
  expect(first.events).toMatchObject([
    { type: 'ADDED', object: { metadata: { name: 'one' } } },
    { type: 'BOOKMARK', object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } } },
  ]);
  await create('two');
  await eventually(() => expect(first.events).toHaveLength(3));
  const loads = logged.length;
  appendFileSync(join(folder, 'notes.ts'), '// saved again\n');
  await first.ended;
  expect(first.response.complete).toBe(true);
  await eventually(() => expect(logged.slice(loads)).toContain('functions: notes.ts is loaded'));
  await create('three');
  const resumed = await watching(`resourceVersion=${first.events.at(-1)?.object.metadata.resourceVersion}`);
  await create('four');
  await eventually(() => resumed.events.length === 2 || resumed.events[0]?.type === 'ERROR');
  expect(resumed.events.map(({ type, object }) => [type, object.metadata.name])).toEqual([
    ['ADDED', 'three'],
    ['ADDED', 'four'],
  ]);
  resumed.response.destroy();
});

test('asks the client of a pending request to retry when its file is saved', async () => {
  const file = join(folder, 'slow.ts');
  writeFileSync(
    file,
    `import { defineAggregatedApi } from '@davit-dev/davit/aggregated';
    const get = () => { console.log('asked'); return new Promise(() => undefined); };
    const resources = [{ name: 'slows', kind: 'Slow', storage: { get } }];
    export const slow = defineAggregatedApi({ name: 'slow', group: 'slow.example.com', version: 'v1', resources });`,
  );
  await eventually(() => expect(logged).toContain('functions: slow.ts is loaded'));
  const asked = send('GET', '/apis/slow.example.com/v1/namespaces/default/slows/a');
  await eventually(() => expect(logged).toContain('asked'));
  appendFileSync(file, '\n// saved again');
  expect(await asked).toMatchObject({ status: 503, body: { message: 'slow is loaded again' } });
});
