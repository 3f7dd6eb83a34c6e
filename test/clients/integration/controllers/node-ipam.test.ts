import { expect, test } from 'vitest';
import type { Client } from '#lib/client/client.ts';
import { nodeIpam } from '#lib/controllers/node-ipam/reconcile.ts';
import { ttlController } from '#lib/controllers/ttl/reconcile.ts';
import { objectAt } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { mustParsePrefix } from '#lib/machinery/net/parse-prefix.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { core, NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const NODES = core('nodes');
const network = mustParsePrefix('10.244.0.0/22');
const make: Reconcilers = (client, clock) => [
  nodeIpam({ client, keeper: client }, clock, [{ network, length: 24 }]),
  ttlController(client),
];

async function prepare(world: World): Promise<void> {
  for (const name of ['default', 'kube-system']) await world.user.create(NAMESPACES, { metadata: { name } });
  for (const name of ['a', 'b', 'c']) await world.user.create(NODES, { metadata: { name } });
}

const cidrs = async (world: World): Promise<Record<string, unknown>> =>
  Object.fromEntries((await world.user.list(NODES)).map((one) => [nameOf(one), objectAt(one, 'spec')?.['podCIDR']]));

test('gives every node its own range, no matter when the controllers are killed', async () => {
  const check = async (world: World): Promise<void> => {
    expect(Object.values(await cidrs(world)).sort()).toEqual(['10.244.0.0/24', '10.244.1.0/24', '10.244.2.0/24']);
    for (const node of await world.user.list(NODES))
      expect(annotationsOf(node)['node.alpha.kubernetes.io/ttl']).toBe('0');
    expect(world.faults).toEqual([]);
  };
  expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(6);
});

test('reports that no range is free for a node, and assigns the next released range', async () => {
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

const wide = mustParsePrefix('10.0.0.0/16');
const wideRanges = [{ network: wide, length: 24 }];

/** Two concurrent reconciles, each with its own client. They are repeated until they succeed, because a queue would redeliver them. */
async function turnsAtOnce(world: World, clients: readonly Client[]): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const turns = clients.map((client) => nodeIpam({ client, keeper: client }, world.clock, wideRanges));
    const ended = await Promise.allSettled(turns.map((turn) => turn.reconcile('all')));
    if (ended.every(({ status }) => status === 'fulfilled')) return;
  }
  throw new Error('the turns did not end');
}

test('two concurrent reconciles give a hundred new nodes ranges that do not overlap', async () => {
  const world = new World();
  await prepare(world);
  for (let i = 0; i < 97; i++) await world.user.create(NODES, { metadata: { name: `n${i}` } });
  await turnsAtOnce(world, [world.newClient('one'), world.newClient('other')]);
  const given = Object.values(await cidrs(world));
  expect(new Set(given).size).toBe(100);
  expect(given).not.toContain(undefined);
});

test('an abandoned reconcile does not write a range that another node has received meanwhile', async () => {
  const world = new World();
  await prepare(world);
  const [late, next] = [world.newClient('late'), world.newClient('next')];
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const lateClient: Client = {
    ...late,
    async patch(...given) {
      held();
      await released;
      return late.patch(...given);
    },
  };
  const givenUp = nodeIpam({ client: lateClient, keeper: late }, world.clock, wideRanges).reconcile('all');
  await isHeld;
  // It sorts before the node that is being written. Without a reservation it would get that node's range.
  await world.user.create(NODES, { metadata: { name: '0' } });
  const nextClient: Client = {
    ...next,
    async patch(...given) {
      const answer = await next.patch(...given);
      release();
      await Promise.allSettled([givenUp]);
      return answer;
    },
  };
  const turn = nodeIpam({ client: nextClient, keeper: next }, world.clock, wideRanges);
  await Promise.allSettled([turn.reconcile('all')]);
  await turnsAtOnce(world, [world.newClient('last')]);
  const given = Object.values(await cidrs(world));
  expect(given).toHaveLength(4);
  expect(new Set(given).size).toBe(4);
});

test('gives no node a reserved range that is another one, of no range, or reserved twice', async () => {
  const world = new World();
  await prepare(world);
  await world.user.create(NODES, { metadata: { name: 'held' }, spec: { podCIDR: '10.0.9.0/24' } });
  for (const name of ['d', 'e', 'f']) await world.user.create(NODES, { metadata: { name } });
  const reserved = ['0.0.0.0/0', '10.0.9.0/24', '10.0.7.0/24', '10.0.7.0/24', 'nothing', '10.0.8.0/24,10.0.5.0/24'];
  const nodes = (await world.user.list(NODES)).filter((node) => nameOf(node) !== 'held');
  const data = Object.fromEntries(nodes.map((node, i) => [uidOf(node), reserved[i] ?? '']));
  const metadata = { name: 'davit-node-cidrs', namespace: 'kube-system' };
  await world.user.create(core('configmaps'), { metadata, data });
  await turnsAtOnce(world, [world.newClient('one')]);
  const given = Object.values(await cidrs(world));
  expect(new Set(given).size).toBe(7);
  expect(given).toEqual(Array.from({ length: 7 }, () => expect.stringMatching(/^10\.0\.\d+\.0\/24$/)));
});
