import { describe, expect, test } from 'vitest';
import { namespaceController } from '#lib/controllers/namespace/reconcile.ts';
import { rootCaCertPublisher } from '#lib/controllers/root-ca-cert-publisher/reconcile.ts';
import { serviceAccountController } from '#lib/controllers/service-account/reconcile.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { core, NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const PEM = '-----BEGIN CERTIFICATE-----\n';
const make: Reconcilers = (client, clock) => [
  serviceAccountController(client),
  rootCaCertPublisher(client, PEM),
  namespaceController(client, clock),
];
const account = refOf(core('serviceaccounts'), 'x', 'default');
const certificate = refOf(core('configmaps'), 'x', 'kube-root-ca.crt');

const prepare = async (world: World): Promise<void> =>
  void (await world.user.create(NAMESPACES, { metadata: { name: 'x' } }));

async function check(world: World): Promise<void> {
  expect(await world.user.get(account)).toBeDefined();
  expect(await world.user.get(certificate)).toMatchObject({ data: { 'ca.crt': PEM } });
}

describe("a namespace's default objects", () => {
  test('include a service account and the certificate, no matter when the controllers are killed', async () => {
    expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(3);
  });

  test.each([
    ['the account', (world: World) => world.user.delete(account)],
    ['the certificate', (world: World) => world.user.delete(certificate)],
    [
      'what the certificate says',
      (world: World) => world.user.patch(certificate, { data: { 'ca.crt': 'x', more: 'y' } }),
    ],
    ['its description', (world: World) => world.user.patch(certificate, { metadata: { annotations: null } })],
  ])('are restored: %s', async (_name, spoil) => {
    const world = new World();
    await prepare(world);
    await world.run(make);
    await spoil(world);
    await world.run(make);
    await check(world);
    expect((await world.user.get(certificate))?.['data']).toEqual({ 'ca.crt': PEM });
    await expectSettled(world, make);
    expect(world.faults).toEqual([]);
  });

  test('are not restored while it terminates', async () => {
    const world = new World();
    await prepare(world);
    await world.run(make);
    await world.user.delete(refOf(NAMESPACES, '', 'x'));
    await world.run(make);
    expect(await world.user.get(refOf(NAMESPACES, '', 'x'))).toBeUndefined();
    expect(await world.user.list(core('serviceaccounts'), { namespace: 'x' })).toEqual([]);
    expect(world.faults).toEqual([]);
  });
});
