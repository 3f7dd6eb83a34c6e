import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { arrayAt, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { simpleDefinition } from '#test/support/simple-definition.ts';
import { type RunningApiserver, startApiserver } from '../start-apiserver.ts';

const PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const definition = (plural: string, kind: string, more: JsonObject = {}) => ({
  ...simpleDefinition({ group: 'example.com', plural, kind }),
  ...more,
});
const SITES = `
import { defineReconciler } from '@davit-dev/davit/controller';
console.log('sites is loaded again');
export const it = defineReconciler({ name: 'sites', for: { apiVersion: 'example.com/v1', kind: 'Site' } }, async () => undefined);
`;

const folder = mkdtempSync(join(tmpdir(), 'davit-definitions-'));
const save = (name: string, text: string): void => writeFileSync(join(folder, 'crds', name), text);
const infos: string[] = [];
const errors: string[] = [];
let server: RunningApiserver;
let send: Requester;

beforeAll(async () => {
  mkdirSync(join(folder, 'crds'));
  save('sites.json', JSON.stringify(definition('sites', 'Site')));
  save('wrong.yaml', 'kind: [');
  writeFileSync(join(folder, 'sites.ts'), SITES);
  const log = { info: (text: string) => void infos.push(text), error: (text: string) => void errors.push(text) };
  server = await startApiserver({ functionsFolder: folder, log });
  send = requester(server);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const labelOf = async (name: string): Promise<string | undefined> => {
  const { body } = await send('GET', `${PATH}/${name}.example.com`);
  return stringAt(objectAt(objectAt(body, 'metadata'), 'labels'), 'is');
};

test('applies definitions at the start before reconcilers run, and reports an invalid file in one line', async () => {
  await eventually(() => expect(infos).toContain('functions: crds/sites.json is applied'));
  const { status, body } = await send('GET', `${PATH}/sites.example.com`);
  expect(status).toBe(200);
  const managers = arrayAt(objectAt(body, 'metadata'), 'managedFields') as readonly JsonObject[];
  expect(managers).toContainEqual(expect.objectContaining({ manager: 'davit', operation: 'Apply' }));
  await eventually(async () => {
    const { body: functions } = await send('GET', '/debug/davit/functions');
    expect(functions['items']).toMatchObject([{ name: 'sites', state: 'Running' }]);
  });
  expect(errors).toEqual([expect.stringMatching(/^functions: crds\/wrong.yaml is not applied: .*line 1/)]);
});

test('applies a saved file, and reloads no function', async () => {
  const loads = (): number => infos.filter((text) => text === 'functions: sites.ts is loaded').length;
  const before = loads();
  const metadata = { name: 'sites.example.com', labels: { is: 'new' } };
  save('sites.json', JSON.stringify(definition('sites', 'Site', { metadata })));
  await eventually(async () => expect(await labelOf('sites')).toBe('new'));
  save(
    'more.yaml',
    `# two\n---\n${JSON.stringify(definition('a', 'A'))}\n---\n${JSON.stringify(definition('b', 'B'))}\n`,
  );
  await eventually(() => expect(infos).toContain('functions: crds/more.yaml is applied'));
  expect((await send('GET', '/apis/example.com/v1/b')).status).toBe(200);
  expect(loads()).toBe(before);
});

test.each([
  ['empty.yaml', '', 'it holds no CustomResourceDefinition'],
  ['pod.yaml', 'apiVersion: v1\nkind: Pod\nmetadata: { name: a }', 'Pod of v1 is no CustomResourceDefinition'],
  ['nameless.json', '{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition"}', 'with a name'],
  ['refused.json', JSON.stringify(definition('sites', 'Site', { metadata: { name: 'x' } })), 'is invalid'],
])('reports %s in one line', async (name, text, why) => {
  errors.length = 0;
  save(name, text);
  await eventually(() => expect(errors).toHaveLength(1));
  expect(errors[0]).toMatch(`functions: crds/${name} is not applied: `);
  expect(errors[0]).toContain(why);
  rmSync(join(folder, 'crds', name));
});

test('deletes no definition when its file is removed', async () => {
  rmSync(join(folder, 'crds/more.yaml'));
  await eventually(() => expect(infos).toContain('functions: crds/more.yaml is gone; its definitions stay'));
  save('last.json', JSON.stringify(definition('lasts', 'Last')));
  await eventually(() => expect(infos).toContain('functions: crds/last.json is applied'));
  expect((await send('GET', `${PATH}/b.example.com`)).status).toBe(200);
});
