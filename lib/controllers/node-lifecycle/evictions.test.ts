import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Node } from '#lib/api/types/core.v1.ts';
import { NODES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { decideEvictions, RATES, zoneState } from './evictions.ts';
import { nodeLifecycle } from './reconcile.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const iso = (ago: number): string => new Date(NOW - ago).toISOString().replace('.000', '');

interface EvictionCase {
  readonly ready?: string;
  readonly zone?: string;
  readonly tainted?: string;
  readonly ago?: number;
}

const aNode = (name: string, { ready = 'True', zone = 'a', tainted, ago = 0 }: EvictionCase = {}): Node =>
  decodedAs(NODES, {
    metadata: { name, labels: { 'topology.kubernetes.io/zone': zone } },
    spec:
      tainted === undefined
        ? {}
        : { taints: [{ key: `node.kubernetes.io/${tainted}`, effect: 'NoExecute', timeAdded: iso(ago) }] },
    status: { conditions: [{ type: 'Ready', status: ready, lastTransitionTime: iso(0) }] },
  });

const lost = (name: string, more: EvictionCase = {}): Node => aNode(name, { ready: 'Unknown', ...more });
const many = (count: number, make: (name: string) => Node): Node[] =>
  Array.from({ length: count }, (_, index) => make(`n${index}`));

/** The node with the label that excludes it from the state of its zone. */
const excluded = (node: Node): Node => {
  const labels = { ...labelsOf(node), 'node.kubernetes.io/exclude-disruption': '' };
  return { ...node, metadata: { ...node.metadata, labels } };
};

const changesOf = (nodes: readonly Node[]) => {
  const { changes, lookIn } = decideEvictions(nodes, RATES, NOW);
  const told = changes.map(({ node, taints }) => `${nameOf(node)}: ${taints.map(({ key }) => key).join()}`);
  return [told.map((one) => one.replace('node.kubernetes.io/', '')), lookIn];
};

test.each<[string, Node[], unknown]>([
  ['counts, when most of a small zone is lost', [aNode('v'), lost('w'), lost('x'), lost('y')], []],
  [
    'does not count, when one of two others is lost',
    [aNode('v'), excluded(lost('w')), excluded(lost('x')), lost('y')],
    ['w: unreachable'],
  ],
  ['does not count, when no other node is ready', [excluded(aNode('v')), lost('w')], []],
  ['does not count, without other nodes', [excluded(aNode('v')), excluded(lost('w'))], ['w: unreachable']],
  [
    'does not make a zone large',
    [...many(40, lost), ...many(11, (name) => excluded(lost(`e${name}`))), ...many(10, (name) => aNode(`r${name}`))],
    [],
  ],
])('computes the state of a zone with a node that %s', (_, nodes, changes) => {
  expect(changesOf(nodes)[0]).toEqual(changes);
});

test('checks nodes again when one is excluded from disruption', () => {
  const [, eviction] = nodeLifecycle({} as Client, { now: () => NOW, monotonic: () => 0 } as Clock);
  const told = (object: Node) => {
    const place = { group: '', resource: 'nodes', namespace: '', name: 'x' };
    const own = { ownerReferences: [], mentions: () => true, object: () => object };
    return eviction?.keys({ type: 'MODIFIED', ...place, ...own });
  };
  expect([told(aNode('x')), told(aNode('x')), told(excluded(aNode('x')))]).toEqual([['all'], [], ['all']]);
});

describe('tainting the nodes of a zone', () => {
  test.each<[string, Node[], unknown]>([
    ['no ready nodes', [aNode('x'), aNode('y')], [[], undefined]],
    ['an unknown node as unreachable', [aNode('x'), lost('y')], [['y: unreachable'], undefined]],
    ['an unready node as not-ready', [aNode('x'), aNode('y', { ready: 'False' })], [['y: not-ready'], undefined]],
    ['lost nodes one after the other', [aNode('x'), aNode('w'), lost('y'), lost('z')], [['y: unreachable'], 10_000]],
    [
      'no node within ten seconds after the last',
      [aNode('x'), lost('y', { tainted: 'unreachable', ago: 4000 }), aNode('v'), lost('z')],
      [[], 6000],
    ],
    [
      'the next node ten seconds after the last',
      [aNode('x'), lost('y', { tainted: 'unreachable', ago: 10_000 }), aNode('v'), lost('z')],
      [['z: unreachable'], undefined],
    ],
    [
      'a tainted node differently at once',
      [aNode('x'), aNode('y', { ready: 'False', tainted: 'unreachable' })],
      [['y: not-ready'], undefined],
    ],
    ['a recovered node no longer', [aNode('x', { tainted: 'unreachable' })], [['x: '], undefined]],
    [
      'each zone independently',
      [aNode('x'), lost('y'), aNode('v', { zone: 'b' }), lost('z', { zone: 'b' })],
      [['y: unreachable', 'z: unreachable'], undefined],
    ],
    [
      'the nodes of a fully lost zone like others',
      [aNode('x'), lost('z', { zone: 'b' })],
      [['z: unreachable'], undefined],
    ],
    [
      'no nodes if all zones are lost',
      [lost('x', { tainted: 'unreachable' }), lost('z', { zone: 'b' })],
      [['x: '], undefined],
    ],
    ['no nodes if most of a small zone is lost', [...many(3, lost), aNode('x')], [[], undefined]],
    [
      'nodes more slowly if most of a large zone is lost',
      [...many(40, lost), ...many(20, (name) => aNode(`x${name}`))],
      [['n0: unreachable'], 100_000],
    ],
    ['no nodes without a Ready condition', [aNode('x'), aNode('y', { ready: '' })], [[], undefined]],
  ])('the controller taints %s', (_, nodes, expected) => expect(changesOf(nodes)).toEqual(expected));
});

test.each<[number, number, string]>([
  [0, 3, 'Normal'],
  [1, 1, 'Normal'],
  [1, 0, 'FullDisruption'],
  [2, 1, 'Normal'],
  [3, 3, 'Normal'],
  [3, 2, 'PartialDisruption'],
  [5, 4, 'PartialDisruption'],
  [5, 0, 'FullDisruption'],
])('gives a zone of %i lost and %i ready nodes the state %s', (gone, ready, expected) =>
  expect(zoneState([...many(gone, lost), ...many(ready, aNode)], RATES)).toBe(expected),
);
