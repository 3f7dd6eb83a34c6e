import { expect, test } from 'vitest';
import { resourceQuotaController } from '#lib/controllers/resource-quota/reconcile.ts';
import { RESERVATION_LIFETIME, reserve } from '#lib/server/policy/resource-quota/ledger-state.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { core, NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock, { server }) => [resourceQuotaController(client, server.quotaLedger, clock)];
const quota = refOf(core('resourcequotas'), 'x', 'q');
const statusOf = async (world: World): Promise<unknown> => (await world.user.get(quota))?.['status'];

async function prepare(world: World): Promise<void> {
  await world.user.create(NAMESPACES, { metadata: { name: 'x' } });
  await world.user.create(core('configmaps'), { metadata: { namespace: 'x', name: 'a' } });
  await world.user.create(core('resourcequotas'), {
    metadata: { namespace: 'x', name: 'q' },
    spec: { hard: { configmaps: '3' } },
  });
}

const check = async (world: World): Promise<void> =>
  expect(await statusOf(world)).toEqual({ hard: { configmaps: '3' }, used: { configmaps: '1' } });

test('a quota is counted correctly no matter when the controller is killed', async () => {
  expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(3);
});

test('frees the reservations of a process that died', async () => {
  const world = new World();
  await prepare(world);
  await world.run(make);
  const more = new Map([['q', new Map([['configmaps', '2']])]]);
  const at = world.clock.now();
  await world.server.quotaLedger.change('x', (state) => reserve(state, 'r', { at, uid: 'dead', more }));
  const refused = world.user.create(core('configmaps'), { metadata: { namespace: 'x', name: 'b' } });
  await expect(refused).rejects.toThrow('exceeded quota: q, requested: configmaps=1, used: configmaps=3');
  world.clock.advance(RESERVATION_LIFETIME);
  await world.run(make);
  await check(world);
  await world.user.create(core('configmaps'), { metadata: { namespace: 'x', name: 'b' } });
  await world.close();
});
