import { describe, expect, test } from 'vitest';
import { parseDeclaration } from '#lib/client/controller/declaration.ts';
import { builtInHop } from '#lib/controllers/first-hop.ts';
import { interestsIn } from '#lib/server/channel/interests.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { NotificationSender } from '#lib/stream/notifications.ts';
import { byDeclaration } from '#lib/stream/request-consumer.ts';
import { aProposal, CONFIG_MAPS, World, type WorldOptions } from '#test/support/stream/world.ts';
import { buildStream } from './wiring.ts';

const configs = byDeclaration(parseDeclaration({ name: 'configs', for: { apiVersion: 'v1', kind: 'ConfigMap' } }));
const others = byDeclaration(parseDeclaration({ name: 'others', for: { apiVersion: 'v1', kind: 'ConfigMap' } }));
const sites = byDeclaration(
  parseDeclaration({
    name: 'sites',
    for: { apiVersion: 'example.com/v1', kind: 'Site' },
    watches: [{ apiVersion: 'v1', kind: 'ConfigMap', map: { field: 'metadata.name' } }],
  }),
  'sites.fifo',
);
const users = byDeclaration(
  parseDeclaration({ name: 'users', for: { apiVersion: 'v1', kind: 'ConfigMap' } }),
  'u.fifo',
);
const DEPLOYED = {
  RequestType: 'Create',
  ResponseURL: 'https://x',
  StackId: '',
  RequestId: '',
  LogicalResourceId: '',
} as const;
const TIME = { hasTime: () => true };

async function aStream(options: WorldOptions = {}, reconcilers = [configs, others]) {
  const world = new World(options);
  const { store, bus, queue, deadLetters, clock } = world;
  const stream = buildStream({
    store,
    bus,
    queue,
    deadLetters,
    clock,
    reconcilers,
    clusterId: 'prod',
    publish: [],
  });
  await world.write([aProposal('a'), aProposal('b')]);
  const sent = () =>
    queue.taken
      .splice(0)
      .map(({ reconciler, name, later }) => `${reconciler} ${name}${later === undefined ? '' : ' later'}`);
  return { world, stream, sent };
}

describe("the stream's wiring", () => {
  test('publishes and sends the changes of its trigger', async () => {
    const { world, stream, sent } = await aStream();
    expect(await stream.handle({ ring: [CONFIG_MAPS] }, TIME)).toMatchObject({ lag: 0, faults: [] });
    expect(world.bus.taken.map(({ clusterId, name }) => `${clusterId} ${name}`)).toEqual(['prod a', 'prod b']);
    expect(sent()).toEqual(['configs a', 'others a', 'configs b', 'others b']);
  });

  test('a schedule finds the changes without a trigger', async () => {
    const { world, stream } = await aStream();
    expect(await stream.handle({ ringAll: true }, TIME)).toMatchObject({ lag: 0, faults: [] });
    expect(world.bus.taken).toHaveLength(2);
  });

  test('reports its lag and the reason', async () => {
    const { stream } = await aStream({
      onEvent: () => {
        throw new StoreError('Unavailable', 'out');
      },
    });
    const { lag, faults } = await stream.handle({ ring: [CONFIG_MAPS] }, TIME);
    expect(lag).toBe(3);
    expect(faults).toMatchObject([{ sequence: CONFIG_MAPS, error: { code: 'Unavailable' } }]);
  });

  test.each([
    ['one', ['configs'], ['configs a later', 'configs b later']],
    ['all', ['*'], ['configs a later', 'others a later', 'configs b later', 'others b later']],
    ['one that is not there', ['none'], []],
  ])('sends %s all objects on demand, and publishes nothing', async (_, resync, expected) => {
    const { world, stream, sent } = await aStream();
    await stream.handle({ ring: [CONFIG_MAPS] }, TIME);
    world.bus.taken.splice(0);
    sent();
    await stream.handle({ resync }, TIME);
    expect(sent()).toEqual(expected);
    expect(world.bus.taken).toEqual([]);
  });

  test("triggers the reconcilers of declared objects after a deployment, and sends users' reconcilers their own objects", async () => {
    const { stream, sent } = await aStream({}, [configs, sites, users]);
    await stream.handle({ ring: [CONFIG_MAPS] }, TIME);
    sent();
    await stream.handle({ deployed: DEPLOYED }, TIME);
    expect(sent()).toEqual([
      'bootstrap all later',
      'webhook-registration webhooks later',
      'davit-aggregated-apis all later',
      'function-accounts functions later',
      'users a later',
      'users b later',
    ]);
  });

  test('folds the log of leases at most once a minute, although each renewal triggers it', async () => {
    const leases = 'main/coordination.k8s.io/leases';
    const { world, stream } = await aStream();
    const renew = async () => {
      await world.write([aProposal('a', 'MODIFIED', { key: `${leases}/default/a` })], leases);
      await stream.handle({ ring: [leases] }, TIME);
      return (await world.store.sequence(leases).read('none')).from;
    };
    expect([await renew(), await renew(), await renew()]).toEqual([2, 2, 2]);
    world.clock.advance(60_000);
    expect(await renew()).toBe(5);
  });
});

describe('notifications of nodes', () => {
  const interests = interestsIn([{ type: 'configmaps', namespace: 'default', name: 'a' }]);

  async function ringing(ring: NotificationSender['ring']) {
    const world = new World();
    const { store, bus, queue, deadLetters, clock } = world;
    let queries = 0;
    const interested = async () => {
      queries++;
      return ['n1', 'n2'].map((node) => ({ node, connections: [], interests: node === 'n1' ? interests : '' }));
    };
    const rings = { nodes: { interested }, sender: { ring } };
    const parts = { store, bus, queue, deadLetters, clock, clusterId: 'prod', publish: [], reconcilers: [], rings };
    const stream = buildStream(parts);
    return { world, stream, queries: () => queries };
  }

  test('follow the delivery, with one query for all changes of a trigger', async () => {
    const rung: unknown[] = [];
    const { world, stream, queries } = await ringing(async ({ to, ring }) => {
      rung.push([to.node, ring, world.bus.taken.length]);
    });
    await world.write([aProposal('a'), aProposal('b')]);
    const outcome = await stream.handle({ ring: [CONFIG_MAPS] }, TIME);
    expect(outcome).toMatchObject({ lag: 0, faults: [], rung: { rung: 1, faults: 0 } });
    expect([rung, queries()]).toEqual([[['n1', { configmaps: '2' }, 2]], 1]);
  });

  test('run no query if no object that nodes follow has changed', async () => {
    const leases = 'main/coordination.k8s.io/leases';
    const { world, stream, queries } = await ringing(async () => undefined);
    await world.write([aProposal('a', 'ADDED', { key: `${leases}/default/a` })], leases);
    await world.write([aProposal('a', 'ADDED', { key: 'other//configmaps/default/a' })], 'other//configmaps');
    expect(await stream.handle({ ring: [leases, 'other//configmaps'] }, TIME)).toMatchObject({ rung: { rung: 0 } });
    expect(queries()).toBe(0);
  });

  test('are not retried if they fail', async () => {
    const { world, stream } = await ringing(() => Promise.reject(new Error('gone')));
    await world.write([aProposal('a')]);
    const outcome = await stream.handle({ ring: [CONFIG_MAPS] }, TIME);
    expect(outcome).toMatchObject({ lag: 0, faults: [], rung: { rung: 0, faults: 1 } });
    expect((await stream.handle({ ring: [CONFIG_MAPS] }, TIME)).rung).toEqual({ rung: 0, faults: 0 });
  });
});

test('a change reaches the built-in reconcilers as one message', async () => {
  const world = new World({ reconcilers: [builtInHop] });
  await world.write([aProposal('kube-root-ca.crt', 'DELETED')]);
  await world.doorbell().ring([CONFIG_MAPS]);
  expect(world.queue.taken.map(({ reconciler, name, version }) => `${reconciler} ${name} ${version}`)).toEqual([
    'built-in /configmaps/default/kube-root-ca.crt@2 2',
  ]);
  expect(await world.deadLettersOf('requests')).toEqual([]);
});
