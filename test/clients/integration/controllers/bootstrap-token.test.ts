import { expect, test } from 'vitest';
import { bootstrapSigner, tokenCleaner } from '#lib/controllers/bootstrap-token/reconcile.ts';
import { defined } from '#lib/machinery/defined.ts';
import { objectAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { core, NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [bootstrapSigner(client, clock), tokenCleaner(client, clock)];
const SECRETS = core('secrets');
const HOUR = 3_600_000;

async function aToken(world: World, id: string, expiration?: string): Promise<void> {
  const stringData = { 'token-id': id, 'token-secret': '0123456789abcdef', 'usage-bootstrap-signing': 'true' };
  await world.user.create(SECRETS, {
    metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    stringData: { ...stringData, ...defined({ expiration }) },
  });
}

async function prepare(world: World): Promise<void> {
  for (const name of ['kube-system', 'kube-public']) await world.user.create(NAMESPACES, { metadata: { name } });
  await world.user.create(core('configmaps'), {
    metadata: { name: 'cluster-info', namespace: 'kube-public' },
    data: { kubeconfig: 'content', 'jws-kubeconfig-gone00': 'old' },
  });
  await aToken(world, 'abcdef');
  await aToken(world, 'short0', new Date(world.clock.now() + HOUR).toISOString());
  await aToken(world, 'over00', new Date(world.clock.now() - HOUR).toISOString());
}

const signers = async (world: World): Promise<string[]> => {
  const info = await world.user.get(refOf(core('configmaps'), 'kube-public', 'cluster-info'));
  return Object.keys(objectAt(info ?? {}, 'data') ?? {}).toSorted();
};

async function check(world: World): Promise<void> {
  expect(await signers(world)).toEqual(['jws-kubeconfig-abcdef', 'jws-kubeconfig-short0', 'kubeconfig']);
  const left = (await world.user.list(SECRETS)).map(nameOf).toSorted();
  expect(left).toEqual(['bootstrap-token-abcdef', 'bootstrap-token-short0']);
}

test('signs with valid tokens and deletes expired ones, no matter when the controllers are killed', async () => {
  expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(2);
});

test('deletes a token when it expires and no longer signs with it', async () => {
  const world = new World();
  await prepare(world);
  await world.run(make);
  world.clock.advance(HOUR);
  await world.run(make);
  expect(await signers(world)).toEqual(['jws-kubeconfig-abcdef', 'kubeconfig']);
  await expectSettled(world, make);
});
