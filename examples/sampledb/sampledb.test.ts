import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isConditionTrue } from '#lib/controller/condition.ts';
import { startApiserver, type RunningApiserver } from '#local/start-apiserver.ts';
import { manifestsOf } from '#local/run/manifests.ts';
import { requester, type Requester } from '#test/requester.ts';
import type { SampleDB } from './kinds.ts';
import { pretendNodes } from './pretend-nodes.ts';
import { sampledb } from './sampledb.ts';

const PATH = '/apis/databases.example.com/v1/namespaces/default/sampledbs';
const yaml = (file: string) => parse(readFileSync(join(import.meta.dirname, file), 'utf8'));

let server: RunningApiserver;
let send: Requester;

beforeAll(async () => {
  server = await startApiserver({ reconcilers: [sampledb, pretendNodes] });
  send = requester(server);
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', yaml('crd.yaml'));
  await until(async () => (await send('GET', PATH)).status === 200);
});

afterAll(() => server.close());

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 20_000; !(await holds()); await sleep(5))
    if (Date.now() > end) throw new Error('not within 20 s');
}

const read = async (name: string): Promise<SampleDB> =>
  (await send('GET', `${PATH}/${name}`)).body as unknown as SampleDB;
const isReady = async (name: string): Promise<boolean> =>
  isConditionTrue((await read(name)).status?.conditions, 'Ready');

test('a database becomes ready, and leaves a snapshot', async () => {
  await send('POST', PATH, yaml('example-database.yaml'));
  await until(() => isReady('example-database'));
  expect((await read('example-database')).status).toMatchObject({ version: '1.4', primary: 'example-database-0' });
  await send('DELETE', `${PATH}/example-database`);
  await until(async () => (await send('GET', `${PATH}/example-database`)).status === 404);
  const { items } = (await send('GET', '/apis/batch/v1/namespaces/default/jobs')).body;
  expect((items as { metadata: { name: string } }[]).some(({ metadata }) => metadata.name.includes('-snapshot-'))).toBe(
    true,
  );
});

test('deploy.yaml is what follows from its declaration', () => {
  const image = 'registry.example.com/sampledb-operator:1';
  const manifests = manifestsOf([sampledb.declaration], { file: 'sampledb.ts', namespace: 'sampledb-system', image });
  expect(readFileSync(join(import.meta.dirname, 'deploy.yaml'), 'utf8')).toBe(manifests);
});

test.each([
  ['a version that is none', { version: 'latest' }, 'spec.version'],
  ['no room', { version: '1.0', replicas: 0 }, 'spec.replicas'],
])('%s is refused', async (_title, spec, field) => {
  const object = { ...yaml('example-database.yaml'), spec };
  const { status, body } = await send('POST', PATH, object);
  expect([status, body['message']]).toEqual([422, expect.stringContaining(field)]);
});
