import { expect, test } from 'vitest';
import { apiserverLeaseCollector } from '#lib/controllers/apiserver-lease-gc/reconcile.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [apiserverLeaseCollector(client, clock)];
const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const IDENTITY = { 'apiserver.kubernetes.io/identity': 'kube-apiserver' };

const renewed = (world: World, ago: number): string =>
  new Date(world.clock.now() - ago).toISOString().replace(/(\.\d+)Z/, '$1000Z');

const aLease = (world: World, name: string, ago?: number, labels: Record<string, string> = IDENTITY) =>
  world.user.create(LEASES, {
    metadata: { name, namespace: 'kube-system', labels },
    spec: {
      holderIdentity: name,
      ...(ago === undefined ? {} : { leaseDurationSeconds: 10, renewTime: renewed(world, ago) }),
    },
  });

async function prepare(world: World): Promise<void> {
  await world.user.create(NAMESPACES, { metadata: { name: 'kube-system' } });
  await aLease(world, 'alive', -3_600_000);
  await aLease(world, 'late', 11_000);
  await aLease(world, 'silent');
  await aLease(world, 'other', 11_000, { 'apiserver.kubernetes.io/identity': 'aggregator' });
  await aLease(world, 'nobody', 11_000, {});
}

const names = async (world: World): Promise<string[]> => (await world.user.list(LEASES)).map(nameOf).toSorted();

test('deletes leases that servers no longer renew, no matter when the controller is killed', async () => {
  const check = async (world: World): Promise<void> => expect(await names(world)).toEqual(['alive', 'nobody', 'other']);
  expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(2);
});

test('keeps a lease while it is renewed and deletes it afterwards', async () => {
  const world = new World();
  await world.user.create(NAMESPACES, { metadata: { name: 'kube-system' } });
  await aLease(world, 'server', 0);
  const controller = apiserverLeaseCollector(world.newClient('controllers'), world.clock);
  world.clock.advance(5000);
  await world.user.patch(refOf(LEASES, 'kube-system', 'server'), { spec: { renewTime: renewed(world, 0) } });
  world.clock.advance(6000);
  const result = await controller.reconcile('server');
  expect(result?.requeueAfter).toBe(4001);
  world.clock.advance(4001);
  await controller.reconcile('server');
  expect(await names(world)).toEqual([]);
});
