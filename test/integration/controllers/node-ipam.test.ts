import { expect, test } from 'vitest';
import { nodeIpam } from '#lib/controllers/node-ipam/reconcile.ts';
import { networkOf } from '#lib/controllers/node-ipam/network.ts';
import { ttlController } from '#lib/controllers/ttl/reconcile.ts';
import { objectAt } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf } from '#lib/machinery/meta.ts';
import { surviveEveryCrash } from '#test/controllers/crashes.ts';
import { core, NAMESPACES, refOf } from '#test/controllers/refs.ts';
import { World, type Reconcilers } from '#test/controllers/world.ts';

const NODES = core('nodes');
const network = networkOf('10.244.0.0/22');
const make: Reconcilers = (client, clock) => [
  nodeIpam(client, clock, network === undefined ? [] : [{ network, length: 24 }]),
  ttlController(client),
];

async function prepare(world: World): Promise<void> {
  await world.user.create(NAMESPACES, { metadata: { name: 'default' } });
  for (const name of ['a', 'b', 'c']) await world.user.create(NODES, { metadata: { name } });
}

const cidrs = async (world: World): Promise<Record<string, unknown>> =>
  Object.fromEntries((await world.user.list(NODES)).map((one) => [nameOf(one), objectAt(one, 'spec')?.['podCIDR']]));

test('every node has addresses of its own, wherever the controllers are killed', async () => {
  const check = async (world: World): Promise<void> => {
    expect(Object.values(await cidrs(world)).sort()).toEqual(['10.244.0.0/24', '10.244.1.0/24', '10.244.2.0/24']);
    for (const node of await world.user.list(NODES))
      expect(annotationsOf(node)['node.alpha.kubernetes.io/ttl']).toBe('0');
    expect(world.faults).toEqual([]);
  };
  expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(6);
});

test('reports a node without a free range, and assigns the next that is released', async () => {
  const world = new World();
  await prepare(world);
  for (const name of ['d', 'e']) await world.user.create(NODES, { metadata: { name } });
  await world.run(make);
  const [without] = Object.entries(await cidrs(world)).filter(([, cidr]) => cidr === undefined);
  expect((await world.user.list(core('events'))).map((one) => one['message'])).toEqual([
    `Node ${without?.[0]} status is now: CIDRNotAvailable`,
  ]);
  await world.user.delete(refOf(NODES, '', 'a'));
  await world.run(make);
  expect(new Set(Object.values(await cidrs(world))).size).toBe(4);
});
