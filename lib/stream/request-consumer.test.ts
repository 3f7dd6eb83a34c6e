import { describe, expect, test } from 'vitest';
import { parseDeclaration } from '#lib/client/controller/declaration.ts';
import { builtInHop } from '#lib/controllers/first-hop.ts';
import { aBody, aProposal, CONFIG_MAPS, NAMES, World } from '#test/support/stream/world.ts';
import { byDeclaration, requestConsumer } from './request-consumer.ts';

const widgets = byDeclaration(
  parseDeclaration({
    name: 'widgets',
    for: { apiVersion: 'v1', kind: 'ConfigMap' },
    watches: [{ apiVersion: 'v1', kind: 'ConfigMap', map: { label: 'widget' } }],
    predicates: { labelSelector: 'own=yes' },
  }),
);

const labelled = (name: string, labels: Record<string, string>) => ({
  body: aBody(name, { metadata: { resourceVersion: '0', name, namespace: 'default', labels } }),
});

async function sent(world: World) {
  await world.doorbell().ring([CONFIG_MAPS]);
  return world.queue.taken.splice(0).map(({ reconciler, namespace, name, version, attempt, sequence }) => {
    expect({ reconciler, attempt, sequence }).toEqual({ reconciler: 'widgets', attempt: 1, sequence: CONFIG_MAPS });
    return `${namespace}/${name}@${version}`;
  });
}

describe('the consumer of requests', () => {
  const Lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
  const sites = (over: object) =>
    byDeclaration(parseDeclaration({ name: 's', for: { apiVersion: 'example.com/v1', kind: 'Site' }, ...over }));
  const LOGS = [
    'main/control',
    'main//pods',
    'main//events',
    'main/coordination.k8s.io/leases',
    'main/example.com/sites',
  ];

  test.each([
    ['no reconciler', [], []],
    ['the built-in reconcilers', [builtInHop], [0, 1, 4]],
    ['a reconciler', [sites({})], [0, 4]],
    ['a reconciler that owns Leases', [sites({ owns: [Lease] })], [0, 3, 4]],
    ['a reconciler that watches Leases', [sites({ watches: [{ ...Lease, map: { owner: true } }] })], [0, 3, 4]],
    ['a reconciler of Leases and the built-in ones', [builtInHop, sites({ for: Lease })], [0, 1, 3, 4]],
    ['a reconciler of Events', [sites({ for: { apiVersion: 'events.k8s.io/v1', kind: 'Event' } })], [0, 1, 2]],
    ['a reconciler without declared resources', [NAMES], [0, 1, 2, 3, 4]],
  ])('reads the logs that may concern %s', (_, reconcilers, expected) => {
    const consumer = requestConsumer(new World().queue, reconcilers);
    expect(LOGS.filter((log) => consumer.wants(log))).toEqual(expected.map((i) => LOGS[i]));
    expect(consumer.wants('main/quota.davit.dev/default')).toBe(false);
  });
});

describe('requests to reconcilers', () => {
  test('name the queue of their reconciler', async () => {
    const declaration = parseDeclaration({ name: 'configs', for: { apiVersion: 'v1', kind: 'ConfigMap' } });
    const world = new World({ reconcilers: [byDeclaration(declaration, 'configs.fifo'), widgets] });
    await world.write([aProposal('a', 'ADDED', labelled('a', { own: 'yes' }))]);
    await world.doorbell().ring([CONFIG_MAPS]);
    expect(world.queue.taken.map(({ reconciler, queue }) => `${reconciler} ${queue}`)).toEqual([
      'configs configs.fifo',
      'widgets undefined',
    ]);
  });

  test('name the objects to which a declaration maps a change', async () => {
    const world = new World({ reconcilers: [widgets] });
    await world.write([
      aProposal('own', 'ADDED', labelled('own', { own: 'yes' })),
      aProposal('part', 'ADDED', labelled('part', { widget: 'w' })),
      aProposal('none'),
    ]);
    expect(await sent(world)).toEqual(['default/own@2', 'default/w@3']);
  });

  test('are merged into the last one for an object in one delivery', async () => {
    const world = new World({ reconcilers: [widgets] });
    await world.write(
      Array.from({ length: 5 }, (_, i) => aProposal(`part-${i}`, 'ADDED', labelled(`part-${i}`, { widget: 'w' }))),
    );
    expect(await sent(world)).toEqual(['default/w@6']);
  });

  test('name the previous owner of a changed object, even if only the log has it', async () => {
    const world = new World({ reconcilers: [widgets] });
    await world.write([aProposal('part', 'ADDED', labelled('part', { widget: 'old' }))]);
    expect(await sent(world)).toEqual(['default/old@2']);
    await world.write([aProposal('part', 'MODIFIED', labelled('part', { widget: 'new' }))]);
    expect(await sent(world)).toEqual(['default/new@3', 'default/old@3']);
  });

  test('need no cursor in a log without reconcilers', async () => {
    const world = new World({ reconcilers: [] });
    await world.write([aProposal('a')]);
    expect(await sent(world)).toEqual([]);
    expect(await world.store.sequence(CONFIG_MAPS).marks.cursor('requests')).toBeUndefined();
  });
});
