import { expect, test } from 'vitest';
import { apiClient } from '#lib/client/api-client.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import { inStep } from '#test/support/controllers/in-step.ts';
import { RETENTION } from '#test/support/server-in-process.ts';

const core = (resource: string) => ({ group: '', version: 'v1', resource });
const NAMESPACE = { resource: core('namespaces'), namespace: '', name: 'x' };
const MAP = { resource: core('configmaps'), namespace: 'x', name: 'a' };

test('deletes a namespace with the last finalizer of its content, without another reconcile', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock, retention: RETENTION });
  const { server, faults, control, pass } = inStep(store, clock);
  const client = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'user' });
  const controllers = await control('namespace-controller');
  await pass(2);
  await client.create(NAMESPACE.resource, { metadata: { name: 'x' } });
  await client.create(MAP.resource, { metadata: { name: 'a', namespace: 'x', finalizers: ['example.com/hold'] } });
  await client.delete(NAMESPACE);
  await pass(2);
  expect(await client.get(NAMESPACE)).toMatchObject({ status: { phase: 'Terminating' } });
  await client.patch(MAP, { metadata: { finalizers: null } });
  await pass(1); // without a wake-up, the next reconcile would be seven seconds later
  expect(await client.get(NAMESPACE)).toBeUndefined();
  expect(faults).toEqual([]);
  await controllers.close();
  await server.close();
});

test('passes a change to later reconcilers if one cannot accept it', async () => {
  const clock = new ManualClock();
  const heard: string[] = [];
  const broken = new TypeError('no idea');
  const reconciler = (name: string, keys: Reconciler['keys']): Reconciler => ({
    name,
    keys,
    reconcile: async (key) => void heard.push(key),
  });
  const reconcilers = () => [
    reconciler('first', ({ resource }) => {
      if (resource === 'configmaps') throw broken;
      return [];
    }),
    reconciler('second', ({ resource, name }) => (resource === 'configmaps' ? [name] : [])),
  ];
  const simulation = { users: [], reconcilers };
  const { server, faults, control, pass } = inStep(new MemoryStore({ clock, retention: RETENTION }), clock, simulation);
  const client = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'user' });
  const controllers = await control('-*');
  await pass(1);
  await client.create(NAMESPACE.resource, { metadata: { name: 'x' } });
  await client.create(MAP.resource, { metadata: { name: 'a', namespace: 'x' } });
  await pass(1);
  expect([heard, faults]).toEqual([['a'], [broken]]);
  await controllers.close();
  await server.close();
});
