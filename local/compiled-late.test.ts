import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { aDefinition } from '#lib/server/apiextensions/a-definition.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { startApiserver } from './start-apiserver.ts';

const directory = mkdtempSync(join(tmpdir(), 'davit-compiled-'));
afterAll(() => rmSync(directory, { recursive: true }));

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const CRONTABS = '/apis/example.com/v1/namespaces/default/crontabs';
const CRONTAB = { apiVersion: 'example.com/v1', kind: 'CronTab' };
const rule = { 'x-kubernetes-validations': [{ rule: 'self.replicas < 3' }] };
const openAPIV3Schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { replicas: { type: 'integer' } }, ...rule } },
};

const compiled = async (request: Requester): Promise<number> => {
  const { body } = await request('GET', '/metrics');
  const [, count] = /^apiserver_cel_compilation_duration_seconds_count (\d+)$/m.exec(String(body['text'])) ?? [];
  return Number(count ?? 0);
};

async function define(request: Requester): Promise<void> {
  const { metadata: _, ...definition } = aDefinition({}, { schema: { openAPIV3Schema } });
  await request('POST', DEFINITIONS, { ...definition, metadata: { name: 'crontabs.example.com' } });
  await eventually(async () =>
    expect((await request('POST', CRONTABS, { ...CRONTAB, metadata: { name: 'one' } })).status).toBe(201),
  );
}

test('compiles a definition for the first object that is written, not for a start or a list', async () => {
  {
    await using first = await startApiserver({ dataDirectory: directory });
    await define(requester(first));
  }
  await using server = await startApiserver({ dataDirectory: directory });
  const request = requester(server);
  for (const path of ['/apis', '/apis/example.com/v1', '/openapi/v2', '/openapi/v3/apis/example.com/v1', CRONTABS])
    expect([path, (await request('GET', path)).status]).toEqual([path, 200]);
  expect(await compiled(request)).toBe(0);
  const spec = { replicas: 4 };
  expect((await request('POST', CRONTABS, { ...CRONTAB, metadata: { name: 'two' }, spec })).status).toBe(422);
  expect(await compiled(request)).toBeGreaterThan(0);
});
