import { expect, test } from 'vitest';
import { serviceCIDRsController } from '#lib/controllers/service-cidrs/reconcile.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { core, NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [serviceCIDRsController(client, clock)];
const CIDRS = { group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs' };
const SERVICES = core('services');

const aRange = (world: World, name: string, cidr: string) =>
  world.user.create(CIDRS, { metadata: { name }, spec: { cidrs: [cidr] } });

const aService = (world: World, name: string, clusterIP: string) =>
  world.user.create(SERVICES, { metadata: { name, namespace: 'default' }, spec: { clusterIP, ports: [{ port: 80 }] } });

async function prepare(world: World): Promise<void> {
  await world.user.create(NAMESPACES, { metadata: { name: 'default' } });
  await aRange(world, 'kubernetes', '10.96.0.0/16');
  await aRange(world, 'more', '10.98.0.0/24');
}

const ready = async (world: World, name: string): Promise<unknown> =>
  (await world.user.get(refOf(CIDRS, '', name)))?.['status'];

test('makes every network ready and protects it, no matter when the controller is killed', async () => {
  const check = async (world: World): Promise<void> => {
    for (const name of ['kubernetes', 'more']) {
      expect(await world.user.get(refOf(CIDRS, '', name))).toMatchObject({
        metadata: { finalizers: ['networking.k8s.io/service-cidr-finalizer'] },
        status: { conditions: [{ type: 'Ready', status: 'True' }] },
      });
    }
  };
  expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(3);
});

test('keeps a network until its last address is released, and a grace period after that', async () => {
  const world = new World();
  await prepare(world);
  await world.run(make);
  await aService(world, 'held', '10.98.0.5');
  await world.user.delete(refOf(CIDRS, '', 'more'));
  await world.run(make);
  expect(await ready(world, 'more')).toMatchObject({ conditions: [{ status: 'False', reason: 'Terminating' }] });
  await expect(aService(world, 'late', '10.98.0.6')).rejects.toThrow('does not match the current range');
  await world.user.delete(refOf(SERVICES, 'default', 'held'));
  await world.run(make);
  world.clock.advance(11_000);
  await world.run(make);
  expect((await world.user.list(CIDRS)).map(nameOf)).toEqual(['kubernetes']);
});

test('deletes a network within another one although its addresses are in use', async () => {
  const world = new World();
  await prepare(world);
  await aRange(world, 'inner', '10.96.7.0/24');
  await world.run(make);
  await aService(world, 'held', '10.96.7.5');
  await world.user.delete(refOf(CIDRS, '', 'inner'));
  world.clock.advance(11_000);
  await world.run(make);
  expect((await world.user.list(CIDRS)).map(nameOf)).toEqual(['kubernetes', 'more']);
});
