import { expect, test } from 'vitest';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { endpointsController } from '#lib/controllers/endpoint/reconcile.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { endPod, runPod } from '#test/support/controllers/pods.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [endpointsController(client, new EventCorrelator(clock))];
const ENDPOINTS = core('endpoints');
const service = (name: string, spec = {}) => ({
  metadata: { name, namespace: 'default' },
  spec: { ports: [{ port: 80, targetPort: 'web' }], ...spec },
});

async function prepare(world: World): Promise<void> {
  await aNamespace(world, 'default');
  await world.user.create(core('services'), service('db', { selector: { app: 'db' } }));
  await world.user.create(core('services'), service('own'));
  for (const name of ['own', 'left'])
    await world.user.create(ENDPOINTS, { metadata: { name, namespace: 'default' }, subsets: [] });
}

test('follow pods and services, no matter when the controller is killed', async () => {
  const changes = async (world: World): Promise<void> => {
    await prepare(world);
    await runPod(world, 'a', '10.1.0.1', 8080);
    await world.run(make);
    await endPod(world, 'a');
    await runPod(world, 'b', '10.1.0.2', 8080);
  };
  const check = async (world: World): Promise<void> => {
    const all = await world.user.list(ENDPOINTS, { namespace: 'default' });
    const told = all.map((one) => [
      nameOf(one),
      ...items(one, 'subsets').flatMap((subset) => items(subset, 'addresses').map((address) => text(address, 'ip'))),
    ]);
    expect(told).toEqual([['db', '10.1.0.2'], ['own']]);
    expect(world.faults).toEqual([]);
  };
  expect(await surviveEveryCrash({ make, prepare: changes, check })).toBeGreaterThan(1);
});

test('are deleted with their Service, regardless of their creator', async () => {
  const world = new World();
  await prepare(world);
  await world.run(make);
  for (const name of ['db', 'own']) await world.user.delete(refOf(core('services'), 'default', name));
  await world.run(make);
  expect(await world.user.list(ENDPOINTS, { namespace: 'default' })).toEqual([]);
});
