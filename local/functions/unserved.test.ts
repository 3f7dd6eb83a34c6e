import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Kind, KubernetesObject } from '#lib/client/typed-client.ts';
import type { FunctionState } from '#lib/sdk/invocation/function-state.ts';
import type { Invocation } from '#lib/sdk/invocation/invocation.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { simpleDefinition } from '#test/support/simple-definition.ts';
import { type RunningApiserver, startApiserver } from '../start-apiserver.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GADGET: Kind = { apiVersion: 'example.com/v1', kind: 'Gadget' };
const definition = (kind: string, plural: string) => simpleDefinition({ group: 'example.com', plural, kind });

/** Reconciles each object repeatedly. */
const reconciler = (name: string, kind: string): string => `
import { defineReconciler } from '@davit-dev/davit/controller';
export const it = defineReconciler(
  { name: '${name}', for: { apiVersion: 'example.com/v1', kind: '${kind}' } },
  async ({ name }, { object, client, log }) => {
    const found = await object();
    log.info(\`${name} sees \${name}\`);
    return found === undefined ? undefined : { requeueAfter: 150 };
  },
);
`;

const folder = mkdtempSync(join(tmpdir(), 'davit-unserved-'));
const infos: string[] = [];
const errors: string[] = [];
let server: RunningApiserver;
let send: Requester;

beforeAll(async () => {
  writeFileSync(join(folder, 'gadgets.ts'), reconciler('gadgets', 'Gadget'));
  server = await startApiserver({
    functionsFolder: folder,
    log: { info: (text) => void infos.push(text), error: (text) => void errors.push(text) },
    reportFault: (at, error) => void errors.push(`${at}: ${String(error)}`),
  });
  send = requester(server);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const stateOf = async (name: string): Promise<FunctionState | undefined> => {
  const { body } = await send('GET', '/debug/davit/functions');
  return (body['items'] as unknown as readonly FunctionState[]).find((one) => one.name === name);
};
const failures = async (): Promise<readonly Invocation[]> => {
  const { body } = await send('GET', '/debug/davit/invocations?function=gadgets&failed=true');
  return body['items'] as unknown as readonly Invocation[];
};
const make = (name: string): Promise<KubernetesObject> =>
  eventually(() => server.client.create({ ...GADGET, metadata: { namespace: 'default', name } }));
const seen = (name: string): number => infos.filter((text) => text === `gadgets sees ${name}`).length;
const NOT_SERVED = 'kind Gadget of example.com/v1 is not served';

test('reports an unserved kind once, and reconciles it as soon as it is served', async () => {
  await eventually(() => expect(errors).toEqual([NOT_SERVED]));
  expect(await stateOf('gadgets')).toMatchObject({ type: 'Reconciler', state: 'Waiting', message: NOT_SERVED });
  await send('POST', DEFINITIONS, definition('Widget', 'widgets'));
  await send('POST', DEFINITIONS, definition('Gadget', 'gadgets'));
  await make('one');
  await eventually(() => expect(seen('one')).toBeGreaterThan(1));
  await eventually(async () => expect(await stateOf('gadgets')).toMatchObject({ state: 'Running' }));
  expect(errors).toEqual([NOT_SERVED]);
});

test('suggests the nearest served kind for a misspelt one, and again only for another', async () => {
  errors.length = 0;
  const text = 'kind Widgt of example.com/v1 is not served; did you mean Widget?';
  writeFileSync(join(folder, 'typo.ts'), reconciler('typo', 'Widgt'));
  await eventually(() => expect(errors).toEqual([text]));
  expect(await stateOf('typo')).toMatchObject({ state: 'Waiting', message: text });
  const loads = (): number => infos.filter((info) => info === 'functions: typo.ts is loaded').length;
  writeFileSync(join(folder, 'typo.ts'), `${reconciler('typo', 'Widgt')}// saved once more`);
  await eventually(() => expect(loads()).toBe(2));
  writeFileSync(join(folder, 'typo.ts'), reconciler('typo', 'Widet'));
  await eventually(() => expect(errors).toEqual([text, text.replace('Widgt', 'Widet')]));
});

test('reports a file until it loads', async () => {
  writeFileSync(join(folder, 'wrong.ts'), 'export const broken = (;');
  await eventually(async () => expect(await stateOf('wrong.ts')).toMatchObject({ type: 'File', state: 'Failed' }));
  writeFileSync(join(folder, 'wrong.ts'), '');
  await eventually(async () => expect(await stateOf('wrong.ts')).toBeUndefined());
});

test.each([
  ['is deleted', async () => void (await send('DELETE', `${DEFINITIONS}/gadgets.example.com`))],
  ['serves nothing', () => serve(false)],
])('reports in one line when the definition %s, and reconciles again when it is back', async (_, end) => {
  await make('before');
  await eventually(() => expect(seen('before')).toBeGreaterThan(1));
  errors.length = 0;
  await end();
  await eventually(() => expect(errors).toEqual([NOT_SERVED]));
  expect(await stateOf('gadgets')).toMatchObject({ state: 'Waiting', message: NOT_SERVED });
  infos.length = 0;
  await send('POST', DEFINITIONS, definition('Gadget', 'gadgets'));
  await serve(true);
  await make('after');
  await eventually(() => expect(seen('after')).toBeGreaterThan(1));
  await eventually(async () => expect(await stateOf('gadgets')).toMatchObject({ state: 'Running' }));
  const { items } = { items: await server.client.list(GADGET) };
  await eventually(() => expect(items.map(({ metadata }) => seen(metadata.name ?? '')).every((n) => n > 0)).toBe(true));
  await server.client.delete(GADGET, { namespace: 'default', name: 'after' });
  expect(errors).toEqual([NOT_SERVED]);
  expect(await failures()).toEqual([]);
});

async function serve(served: boolean): Promise<void> {
  const version = { ...definition('Gadget', 'gadgets').spec.versions[0], served };
  const patch = { spec: { versions: [version] } };
  await send('PATCH', `${DEFINITIONS}/gadgets.example.com`, patch);
}
