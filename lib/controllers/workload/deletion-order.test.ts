import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { inDeletionOrder } from './deletion-order.ts';

const NOW = Date.UTC(2026, 0, 2);
const at = (secondsAgo: number): string => new Date(NOW - secondsAgo * 1000).toISOString().replace('.000', '');

interface OrderCase {
  readonly node?: string;
  readonly phase?: string;
  /** How many seconds ago the pod became ready. */
  readonly ready?: number;
  readonly created?: number;
  readonly cost?: string;
  readonly restarts?: number;
}

const aPod = (name: string, { node = 'n', phase = 'Running', ready, created = 1000, ...more }: OrderCase): Pod =>
  decodedAs(PODS, {
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

describe('the order of deletion of pods', () => {
  const ready = 1000;
  test.each<[string, OrderCase, OrderCase]>([
    ['a pod without a node', { node: '' }, { node: 'n', phase: 'Pending' }],
    ['a pending pod', { phase: 'Pending' }, { phase: 'Unknown' }],
    ['a pod with an unknown phase', { phase: 'Unknown' }, {}],
    ['a pod that is not ready', {}, { ready }],
    ['a pod with a lower deletion cost', { ready, cost: '-5' }, { ready }],
    ['a pod whose invalid deletion cost counts as 0', { ready, cost: '+7' }, { ready, cost: '1' }],
    ['a pod that was ready for a shorter time', { ready: 10 }, { ready }],
    ['a pod that restarted more', { ready, restarts: 2 }, { ready, restarts: 1 }],
    ['the younger pod', { ready, created: 10 }, { ready }],
  ])('deletes first %s', (_, first, second) => {
    const pods = [aPod('b', first), aPod('a', second)];
    for (const given of [pods, pods.toReversed()])
      expect(inDeletionOrder(given, [], NOW).map(nameOf)).toEqual(['b', 'a']);
  });

  test('deletes pods first on nodes with more active pods of the same owner', () => {
    const [a, b] = [aPod('a', { ready, node: 'one' }), aPod('b', { ready, node: 'two' })];
    const ended = ['x', 'y', 'z'].map((name) => aPod(name, { node: 'one', phase: 'Failed' }));
    const related = [a, b, aPod('c', { node: 'two' }), ...ended];
    expect(inDeletionOrder([a, b], related, NOW).map(nameOf)).toEqual(['b', 'a']);
  });

  test('deletes first the pod with the lower uid if ages have the same order of magnitude', () => {
    const [older, younger] = [aPod('a', { ready, created: 1000 }), aPod('b', { ready, created: 900 })];
    expect(older.metadata).not.toEqual(younger.metadata);
    expect(inDeletionOrder([younger, older], [], NOW).map(nameOf)).toEqual(['a', 'b']);
  });
});
