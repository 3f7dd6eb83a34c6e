import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { isAboutObjects } from '#lib/controllers/objects-of-keys.ts';
import { serverInProcess } from '#test/server-in-process.ts';
import { builtInReconcilers, ControllerTokens } from './wiring.ts';

const clock = new ManualClock();
const tokens = new ControllerTokens();

async function names(controllers: readonly string[]): Promise<readonly string[]> {
  const { server, faults } = serverInProcess({ clock, tokens: new Map(tokens.users()) });
  const options = {
    authority: '',
    address: { host: '127.0.0.1', port: 1 },
    clock,
  };
  const all = builtInReconcilers(server, tokens, { ...options, controllers });
  await server.close();
  expect(faults).toEqual([]);
  return all.map(({ name }) => name);
}

test('each has a name of its own, and what the server does itself always runs', async () => {
  const all = await names(['*']);
  expect(new Set(all).size).toBe(all.length);
  const own = await names([]);
  expect(own).toContain('apiextensions');
  expect(own).not.toContain('namespace');
  expect(await names(['namespace-controller'])).toEqual([...own, 'namespace']);
  expect(await names(['*', '-namespace-controller'])).toEqual(all.filter((name) => name !== 'namespace'));
});

/** Their keys are no objects: each looks at many at once, or at what has no kind here. */
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

test('of each is known what its keys are about, or that they are about none', async () => {
  const unknown = (await names(['*'])).filter((name) => !isAboutObjects(name) && !OF_MANY.includes(name));
  expect(unknown).toEqual([]);
});

test('an account is known by its token, and one without a role has none', () => {
  expect(new Map(tokens.users()).get(tokens.of('deployment-controller'))).toEqual({
    name: 'system:serviceaccount:kube-system:deployment-controller',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:davit:controllers'],
  });
  expect(() => tokens.of('nobody')).toThrow(TypeError);
});
