import { expect, test } from 'vitest';
import { apiClient } from '#lib/client/api-client.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { isAboutObjects } from '#lib/controllers/objects-of-keys.ts';
import { arrayAt, isObject, objectAt } from '#lib/machinery/json-value.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';
import { builtInReconcilers, ControllerTokens } from './wiring.ts';

const clock = new ManualClock();
const tokens = new ControllerTokens();
const events = new EventCorrelator(clock);

async function names(controllers: readonly string[]): Promise<readonly string[]> {
  const { server, faults } = serverInProcess({ clock, tokens: new Map(tokens.users()) });
  const options = {
    authority: '',
    address: { host: '127.0.0.1', port: 1 },
    clock,
    events,
  };
  const all = builtInReconcilers(server, tokens, { ...options, controllers });
  await server.close();
  expect(faults).toEqual([]);
  return all.map(({ name }) => name);
}

test('each reconciler has a unique name, and reconcilers of the server itself always run', async () => {
  const all = await names(['*']);
  expect(new Set(all).size).toBe(all.length);
  const own = await names([]);
  expect(own).toContain('apiextensions');
  expect(own).not.toContain('namespace');
  expect(await names(['namespace-controller'])).toEqual([...own, 'namespace']);
  expect(await names(['*', '-namespace-controller'])).toEqual(all.filter((name) => name !== 'namespace'));
});

/** Reconcilers whose keys are not objects: each key covers many objects, or has no kind here. */
const OF_MANY = [
  'apiserver-lease-gc',
  'bootstrap',
  'clusterrole-aggregation-controller',
  'event-ttl',
  'garbage-collector',
  'node-eviction',
  'node-ipam',
  'node-ttl',
  'serviceaccount-token',
  'service-repair',
];

test('the keys of each reconciler name an object, or are listed as keys without one', async () => {
  const unknown = (await names(['*'])).filter((name) => !isAboutObjects(name) && !OF_MANY.includes(name));
  expect(unknown).toEqual([]);
});

test.each([
  ['node-ttl', 'kube-controller-manager', { resource: 'nodes', namespace: '', name: 'web' }],
  ['bootstrap', 'kube-apiserver', { resource: 'services', namespace: 'default', name: 'kubernetes' }],
])('%s writes as the field manager %s, as upstream', async (reconciler, manager, { resource: plural, ...at }) => {
  const { server } = serverInProcess({ clock, tokens: new Map(tokens.users()) });
  const user = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'kubectl' });
  server.reconfigure({ authorizers: [{ type: 'AlwaysAllow' }] });
  const resource = { group: '', version: 'v1', resource: plural };
  const options = {
    authority: '',
    address: { host: '127.0.0.1', port: 1 },
    clock,
    events,
    controllers: ['ttl-controller'],
  };
  const annotations = { of: 'who made it' }; // without a field there would be no managers
  if (plural === 'nodes') await user.create(resource, { metadata: { name: at.name, annotations } });
  const [one] = builtInReconcilers(server, tokens, options).filter(({ name }) => name === reconciler);
  for (const key of one?.initial ?? [at.name]) await one?.reconcile(key);
  const written = await user.get({ resource, ...at });
  const managers = arrayAt(objectAt(written, 'metadata'), 'managedFields').filter(isObject);
  expect(managers.map((entry) => entry['manager'])).toContain(manager);
  await server.close();
});

test('an account authenticates by its token, and an account without a role has no token', () => {
  expect(new Map(tokens.users()).get(tokens.of('deployment-controller'))).toEqual({
    name: 'system:serviceaccount:kube-system:deployment-controller',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:davit:controllers'],
  });
  expect(() => tokens.of('nobody')).toThrow(TypeError);
});
