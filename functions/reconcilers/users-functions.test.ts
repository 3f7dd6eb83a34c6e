import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { apiClient } from '#lib/client/api-client.ts';
import { ACCOUNTS } from '#lib/client/controller/function-names.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import { defineAggregatedApi } from '#lib/sdk/extension-apiserver/define-aggregated-api.ts';
import { REGISTRATION } from '#lib/sdk/webhook-sdk/names.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';
import { usersFunctions } from './users-functions.ts';

const folder = mkdtempSync(join(tmpdir(), 'davit-webhooks-'));
const file = join(folder, 'functions.json');
afterAll(() => rmSync(folder, { recursive: true }));

const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }];
const titles = { function: 'davit-titles-1', declaration: { type: 'Validating', name: 'titles', rules } };
const sites = { name: 'sites', for: { apiVersion: 'example.com/v1', kind: 'Site' } };
const quotes = {
  function: 'davit-quotes-1',
  declaration: defineAggregatedApi({
    name: 'quotes',
    group: 'quotes.example.com',
    version: 'v1',
    resources: [
      { name: 'quotes', kind: 'Quote', storage: { list: async () => ({ items: [], resourceVersion: '1' }) } },
    ],
  }).declaration,
};
const apiServices = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' };
const resource = { group: '', version: 'v1', resource: 'services' };
const serviceAccounts = { group: '', version: 'v1', resource: 'serviceaccounts' };

test('creates a Service for an invoked function and an account for a reconciler, and deletes both with their declaration', async () => {
  const { server, faults } = serverInProcess({ clock: new ManualClock() });
  const client = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'davit' });
  const registered = async (): Promise<unknown> => {
    const [registration, apis, account] = usersFunctions(file, client);
    expect([registration?.name, account?.name]).toEqual([REGISTRATION.reconciler, ACCOUNTS.reconciler]);
    await registration?.reconcile(REGISTRATION.name);
    await apis?.reconcile('all');
    await account?.reconcile(ACCOUNTS.name);
    const service = await client.get({ resource, namespace: 'davit-system', name: 'titles' });
    const { annotations } = (service?.['metadata'] ?? {}) as { readonly annotations?: object };
    const found = await client.get({ resource: serviceAccounts, namespace: 'davit-functions', name: 'sites' });
    const api = await client.get({ resource: apiServices, namespace: '', name: 'v1.quotes.example.com' });
    return { annotations, account: found !== undefined, api: annotationsOf(api ?? {})['davit.dev/function'] };
  };
  const nothing = { annotations: undefined, account: false, api: undefined };
  expect(await registered()).toEqual(nothing);
  writeFileSync(file, JSON.stringify({ reconcilers: [sites], webhooks: [titles], apis: [quotes] }));
  expect(await registered()).toEqual({
    annotations: { 'davit.dev/function': 'davit-titles-1' },
    account: true,
    api: 'davit-quotes-1',
  });
  writeFileSync(
    file,
    JSON.stringify({ reconcilers: [sites], webhooks: [titles], apis: [{ ...quotes, function: 'davit-quotes-2' }] }),
  );
  expect(await registered()).toMatchObject({ api: 'davit-quotes-2' });
  rmSync(file);
  expect(await registered()).toEqual(nothing);
  await server.close();
  expect(faults).toEqual([]);
});

test('creates an account with rules for a function that reconciles nothing, and deletes it with its declaration', async () => {
  const { server, faults } = serverInProcess({ clock: new ManualClock() });
  const client = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'davit' });
  const reads = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  const named = async (accounts: readonly object[]) => {
    writeFileSync(file, JSON.stringify({ reconcilers: [sites], webhooks: [], apis: [], accounts }));
    const [, , keeper] = usersFunctions(file, client);
    await keeper?.reconcile(ACCOUNTS.name);
    const roles = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
    const role = await client.get({ resource: roles, namespace: '', name: 'davit:function:measures' });
    const account = await client.get({ resource: serviceAccounts, namespace: 'davit-functions', name: 'measures' });
    return { rules: role?.['rules'], hasAccount: account !== undefined };
  };
  expect(await named([{ name: 'measures', rules: reads }])).toEqual({ rules: reads, hasAccount: true });
  expect(await named([])).toEqual({ rules: undefined, hasAccount: false });
  expect(await client.get({ resource: serviceAccounts, namespace: 'davit-functions', name: 'sites' })).toBeDefined();
  rmSync(file);
  await server.close();
  expect(faults).toEqual([]);
});

test('creates a role for readers of metrics if the metrics API is declared', () => {
  const client = apiClient({ handle: () => Promise.reject(new Error('not asked')), token: '', userAgent: '' });
  const names = (apis: readonly object[]): string[] => {
    writeFileSync(file, JSON.stringify({ reconcilers: [], webhooks: [], apis }));
    return usersFunctions(file, client).map(({ name }) => name);
  };
  const declaration = { ...quotes.declaration, name: 'metrics-server', group: 'metrics.k8s.io', version: 'v1beta1' };
  expect(names([{ function: 'davit-metrics-server-1', declaration }])).toContain('metrics-reader-role');
  expect(names([quotes])).not.toContain('metrics-reader-role');
  rmSync(file);
});

test.each<[string, unknown, RegExp]>([
  ['something else', [], /reconcilers, webhooks and apis are expected$/],
  [
    'what is no webhook',
    { reconcilers: [], webhooks: [{ ...titles, declaration: {} }], apis: [] },
    /^webhook declaration: /,
  ],
  ['what is no reconciler', { reconcilers: [{}], webhooks: [], apis: [] }, /^reconciler declaration: /],
  [
    'what is no API',
    { reconcilers: [], webhooks: [], apis: [{ ...quotes, declaration: {} }] },
    /^aggregated API declaration: /,
  ],
])('rejects %s in one line', (_, value, line) => {
  writeFileSync(file, JSON.stringify(value));
  const client = apiClient({ handle: () => Promise.reject(new Error('not asked')), token: '', userAgent: '' });
  expect(() => usersFunctions(file, client)).toThrow(line);
});
