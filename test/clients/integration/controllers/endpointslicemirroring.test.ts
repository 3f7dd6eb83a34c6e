import { expect, test } from 'vitest';
import { endpointSliceMirroringController } from '#lib/controllers/endpointslicemirroring/reconcile.ts';
import { items, text, texts } from '#lib/machinery/unstructured.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { core, NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [endpointSliceMirroringController(client, clock)];
const SLICES = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };
const OWN = refOf(core('endpoints'), 'default', 'own');
const SERVICE = refOf(core('services'), 'default', 'own');

const subsets = (ip: string) => [{ addresses: [{ ip }], ports: [{ port: 80, protocol: 'TCP' }] }];

async function prepare(world: World): Promise<void> {
  await world.user.create(NAMESPACES, { metadata: { name: 'default' } });
  await world.user.create(SERVICE.resource, {
    metadata: { name: 'own', namespace: 'default' },
    spec: { ports: [{ port: 80 }] },
  });
  await world.user.create(OWN.resource, {
    metadata: { name: 'own', namespace: 'default' },
    subsets: subsets('10.1.0.1'),
  });
}

const mirrored = async (world: World): Promise<string[]> =>
  (await world.user.list(SLICES)).flatMap((slice) =>
    items(slice, 'endpoints').map((one) => `${text(slice, 'addressType')} ${texts(one, 'addresses').join()}`),
  );

test('slices match Endpoints, no matter when the controller is killed', async () => {
  const changed = async (world: World): Promise<void> => {
    await prepare(world);
    await world.run(make);
    await world.user.patch(OWN, { subsets: [...subsets('fd00::1'), ...subsets('10.1.0.2')] });
  };
  const check = async (world: World): Promise<void> => {
    expect((await mirrored(world)).sort()).toEqual(['IPv4 10.1.0.2', 'IPv6 fd00::1']);
    expect(world.faults).toEqual([]);
  };
  expect(await surviveEveryCrash({ make, prepare: changed, check })).toBeGreaterThan(2);
});

test.each([
  ['the Endpoints go', (world: World) => world.user.delete(OWN)],
  ['the service goes', (world: World) => world.user.delete(SERVICE)],
  ['the service selects', (world: World) => world.user.patch(SERVICE, { spec: { selector: { app: 'db' } } })],
])('slices are deleted when %s', async (_, act) => {
  const world = new World();
  await prepare(world);
  await world.run(make);
  expect(await mirrored(world)).toEqual(['IPv4 10.1.0.1']);
  await act(world);
  await world.run(make);
  expect(await mirrored(world)).toEqual([]);
});

test('warns of more addresses than it mirrors', async () => {
  const world = new World();
  await prepare(world);
  const addresses = Array.from({ length: 1001 }, (_, index) => ({ ip: `10.2.${index >> 8}.${index & 255}` }));
  await world.user.patch(OWN, { subsets: [{ addresses, ports: [{ port: 80, protocol: 'TCP' }] }] });
  await world.run(make);
  const told = (await world.user.list(core('events'))).map((event) => text(event, 'reason'));
  expect(told).toEqual(['TooManyAddressesToMirror']);
});
