import { expect, test } from 'vitest';
import { systemClock as clock } from '#adapters/clock.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { BOOTSTRAP } from '#lib/client/controller/bootstrap.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';
import { bootstrap, bootstrapOnce, isServedByFunctions } from './first-start.ts';
import { bootstrapController } from './reconcile.ts';

const ADDRESS = { host: '127.0.0.1', port: 6443 };

test('isServedByFunctions is true after bootstrapOnce, but not after a local bootstrap', async () => {
  const { server } = serverInProcess({ clock });
  const client = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'davit' });
  expect(await isServedByFunctions(client)).toBe(false);
  await bootstrap(client, ADDRESS);
  expect(await isServedByFunctions(client)).toBe(false);
  await bootstrapOnce(client, ADDRESS, 'v1');
  expect(await isServedByFunctions(client)).toBe(true);
});

test('creates all bootstrap objects for its single key', async () => {
  const { server } = serverInProcess({ clock });
  const client = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'davit' });
  await bootstrap(client, ADDRESS);
  await bootstrapController(client, ADDRESS, { clientAuthority: 'PEM' }).reconcile(BOOTSTRAP.name);
  const maps = { group: '', version: 'v1', resource: 'configmaps' };
  const classes = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' };
  const map = { resource: maps, namespace: 'kube-system', name: 'extension-apiserver-authentication' };
  expect(await client.get(map)).toMatchObject({ data: { 'client-ca-file': 'PEM' } });
  expect(await client.get({ resource: classes, namespace: '', name: 'system-node-critical' })).toBeDefined();
});
