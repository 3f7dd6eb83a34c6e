import { describe, expect, test } from 'vitest';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { inDeletionOrder } from './deletion-order.ts';

const NOW = Date.UTC(2026, 0, 2);
const at = (secondsAgo: number): string => new Date(NOW - secondsAgo * 1000).toISOString().replace('.000', '');

interface Asked {
  readonly node?: string;
  readonly phase?: string;
  /** Seconds ago. */
  readonly ready?: number;
  readonly created?: number;
  readonly cost?: string;
  readonly restarts?: number;
}

const aPod = (name: string, { node = 'n', phase = 'Running', ready, created = 1000, ...more }: Asked): JsonObject => ({
  metadata: {
    name,
    uid: name,
    creationTimestamp: at(created),
    annotations: more.cost === undefined ? {} : { 'controller.kubernetes.io/pod-deletion-cost': more.cost },
  },
  spec: { nodeName: node },
  status: {
    phase,
    conditions: ready === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: at(ready) }],
    containerStatuses: [{ name: 'c', restartCount: more.restarts ?? 0 }],
  },
});

describe('goes first', () => {
  const ready = 1000;
  test.each<[string, Asked, Asked]>([
    ['who has no node', { node: '' }, { node: 'n', phase: 'Pending' }],
    ['who is pending', { phase: 'Pending' }, { phase: 'Unknown' }],
    ['of whom nothing is known', { phase: 'Unknown' }, {}],
    ['who is not ready', {}, { ready }],
    ['who costs less', { ready, cost: '-5' }, { ready }],
    ['who costs nothing, not what cannot be read', { ready, cost: '+7' }, { ready, cost: '1' }],
    ['who was ready for the shorter time', { ready: 10 }, { ready }],
    ['who restarted more', { ready, restarts: 2 }, { ready, restarts: 1 }],
    ['who is younger', { ready, created: 10 }, { ready }],
  ])('%s', (_, first, second) => {
    const pods = [aPod('b', first), aPod('a', second)];
    for (const given of [pods, pods.toReversed()])
      expect(inDeletionOrder(given, [], NOW).map(nameOf)).toEqual(['b', 'a']);
  });

  test('who has more company on its node, of whoever is active', () => {
    const [a, b] = [aPod('a', { ready, node: 'one' }), aPod('b', { ready, node: 'two' })];
    const ended = ['x', 'y', 'z'].map((name) => aPod(name, { node: 'one', phase: 'Failed' }));
    const related = [a, b, aPod('c', { node: 'two' }), ...ended];
    expect(inDeletionOrder([a, b], related, NOW).map(nameOf)).toEqual(['b', 'a']);
  });

  test('of ages of one order of magnitude, the uid decides', () => {
    const [older, younger] = [aPod('a', { ready, created: 1000 }), aPod('b', { ready, created: 900 })];
    expect(objectAt(older, 'metadata')).not.toEqual(objectAt(younger, 'metadata'));
    expect(inDeletionOrder([younger, older], [], NOW).map(nameOf)).toEqual(['a', 'b']);
  });
});
