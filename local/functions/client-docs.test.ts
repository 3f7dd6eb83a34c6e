import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONFIG_MAP } from '@davit-dev/davit/api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Kind, KubernetesObject } from '#lib/client/typed-client.ts';
import { type Condition, findCondition } from '#lib/machinery/conditions.ts';
import { eventually } from '#test/support/eventually.ts';
import { type RunningApiserver, startApiserver } from '../start-apiserver.ts';

interface Site extends KubernetesObject {
  readonly spec: { readonly text: string };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly runs?: number; readonly address?: string };
}
const SITE: Kind<Site> = { apiVersion: 'example.com/v1', kind: 'Site' };

const text = readFileSync(join(import.meta.dirname, '../../docs/client.md'), 'utf8');
/** The imports and constants that the page's examples rely on. */
const scope = /^```\n(.*?)^async/ms.exec(text)?.[1] ?? '';
const examples = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, body = '']) => body);

/** All examples in one reconciler, in the page's scope. */
const FUNCTION = `// @ts-nocheck
import { defineReconciler } from '@davit-dev/davit/controller';
${scope}
export const sites = defineReconciler(
  { name: 'sites', for: SITE, owns: [CONFIG_MAP] },
  async ({ namespace, name }, { client, object, events, clock, signal }) => {
${examples.join('\n')}
    return undefined;
  },
);
`;

const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const folder = mkdtempSync(join(tmpdir(), 'davit-client-docs-'));
const at = { namespace: 'default', name: 'home' };
const faults: string[] = [];
let server: RunningApiserver;

beforeAll(async () => {
  writeFileSync(join(folder, 'sites.ts'), FUNCTION);
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    subresources: { status: {} },
    schema: { openAPIV3Schema: schema },
  };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'sites.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'sites', kind: 'Site' }, versions: [version] },
  };
  mkdirSync(join(folder, 'crds'));
  writeFileSync(join(folder, 'crds', 'sites.json'), JSON.stringify(definition));
  const log = { info() {}, error: (message: string) => void faults.push(message) };
  server = await startApiserver({ functionsFolder: folder, log });
  await eventually(() => server.client.list(SITE));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

test("the page's examples work as described", async () => {
  expect(examples.length).toBeGreaterThan(8);
  await server.client.create<Site>({ ...SITE, metadata: at, spec: { text: 'hello' } });
  await eventually(async () => {
    const site = await server.client.get(SITE, at);
    expect(site?.metadata.finalizers).toEqual(['example.com/pages']);
    expect(findCondition(site?.status?.conditions, 'Ready')).toMatchObject({ status: 'True', observedGeneration: 1 });
    expect(site?.status).toMatchObject({ runs: 1, address: 'home.example.com' });
  });
  const page = await server.client.get(CONFIG_MAP, at);
  expect([page?.data, page?.metadata.ownerReferences]).toMatchObject([
    { text: 'hello' },
    [{ kind: 'Site', name: 'home' }],
  ]);
  expect(await server.client.get(CONFIG_MAP, { ...at, name: 'home-seed' })).toBeUndefined();
  await eventually(async () => {
    const told = await server.client.list({ apiVersion: 'events.k8s.io/v1', kind: 'Event' }, { namespace: 'default' });
    expect(told).toMatchObject([{ note: 'published home' }]);
  });
  await server.client.delete(SITE, at);
  await eventually(async () => expect(await server.client.get(SITE, at)).toBeUndefined());
  expect(faults).toEqual([]);
});
