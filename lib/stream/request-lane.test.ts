import { describe, expect, test } from 'vitest';
import { parseDeclaration } from '#lib/controller/declaration.ts';
import { aBody, aProposal, CONFIG_MAPS, World } from '#test/stream/world.ts';
import { byDeclaration } from './request-lane.ts';

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

describe('requests', () => {
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

  test('go to what a declaration maps a change to', async () => {
    const world = new World({ reconcilers: [widgets] });
    await world.write([
      aProposal('own', 'ADDED', labelled('own', { own: 'yes' })),
      aProposal('part', 'ADDED', labelled('part', { widget: 'w' })),
      aProposal('none'),
    ]);
    expect(await sent(world)).toEqual(['default/own@2', 'default/w@3']);
  });

  test('of one object in one delivery are merged into the last', async () => {
    const world = new World({ reconcilers: [widgets] });
    await world.write(
      Array.from({ length: 5 }, (_, i) => aProposal(`part-${i}`, 'ADDED', labelled(`part-${i}`, { widget: 'w' }))),
    );
    expect(await sent(world)).toEqual(['default/w@6']);
  });

  test('go to where a changed object belonged before, though the log alone knows', async () => {
    const world = new World({ reconcilers: [widgets] });
    await world.write([aProposal('part', 'ADDED', labelled('part', { widget: 'old' }))]);
    expect(await sent(world)).toEqual(['default/old@2']);
    await world.write([aProposal('part', 'MODIFIED', labelled('part', { widget: 'new' }))]);
    expect(await sent(world)).toEqual(['default/new@3', 'default/old@3']);
  });

  test('where nobody reconciles there is no cursor', async () => {
    const world = new World({ reconcilers: [] });
    await world.write([aProposal('a')]);
    expect(await sent(world)).toEqual([]);
    expect(await world.store.sequence(CONFIG_MAPS).marks.cursor('requests')).toBeUndefined();
  });
});
