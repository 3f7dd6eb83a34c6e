import { expect, test } from 'vitest';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { endpointSliceController } from '#lib/controllers/endpointslice/reconcile.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import { items, texts } from '#lib/machinery/unstructured.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { endPod, runPod } from '#test/support/controllers/pods.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [endpointSliceController(client, new EventCorrelator(clock))];
const SLICES = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };
const SERVICE = refOf(core('services'), 'default', 'db');

async function prepare(world: World): Promise<void> {
  await aNamespace(world, 'default');
  await world.user.create(core('nodes'), { metadata: { name: 'node' } });
  await world.user.create(core('services'), {
    metadata: { name: 'db', namespace: 'default' },
    spec: { selector: { app: 'db' }, ports: [{ port: 80, targetPort: 'web' }] },
  });
}

const slicesOf = (world: World): Promise<JsonObject[]> => world.user.list(SLICES, { namespace: 'default' });
const addresses = async (world: World): Promise<string[]> =>
  (await slicesOf(world))
    .flatMap((slice) => items(slice, 'endpoints'))
    .flatMap((endpoint) => texts(endpoint, 'addresses'))
    .sort();

test('adds and removes endpoints with their pods, no matter when the controller is killed', async () => {
  const two = async (world: World): Promise<void> => {
    await prepare(world);
    await runPod(world, 'a', '10.1.0.1', 8080);
    await runPod(world, 'b', '10.1.0.2', 9090);
    await runPod(world, 'c', '10.1.0.3', 9090);
    await world.run(make);
    await endPod(world, 'a');
    await endPod(world, 'b');
    await runPod(world, 'd', '10.1.0.4', 7070);
  };
  const check = async (world: World): Promise<void> => {
    expect(await addresses(world)).toEqual(['10.1.0.3', '10.1.0.4']);
    expect(world.faults).toEqual([]);
  };
  expect(await surviveEveryCrash({ make, prepare: two, check })).toBeGreaterThan(2);
});

test('ignores a Service until it has a selector', async () => {
  const world = new World();
  await prepare(world);
  await world.user.patch(SERVICE, { spec: { selector: null } });
  await world.run(make);
  expect(await slicesOf(world)).toEqual([]);
  await world.user.patch(SERVICE, { spec: { selector: { app: 'db' } } });
  await world.run(make);
  const [slice] = await slicesOf(world);
  expect(annotationsOf(slice ?? {})['endpoints.kubernetes.io/last-change-trigger-time']).toMatch(/^\d{4}-.*Z$/);
});

test('a pod becomes an endpoint when its node appears', async () => {
  const world = new World();
  await prepare(world);
  await world.user.delete(refOf(core('nodes'), '', 'node'));
  await runPod(world, 'a', '10.1.0.1', 8080);
  await world.run(make);
  expect(await addresses(world)).toEqual([]);
  await world.user.create(core('nodes'), { metadata: { name: 'node' } });
  await world.run(make);
  expect(await addresses(world)).toEqual(['10.1.0.1']);
});
