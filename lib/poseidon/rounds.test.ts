import { describe, expect, test } from 'vitest';
import type { PodOf } from '#lib/scheduler/testing/wrappers.ts';
import { settledWorld } from './testing.ts';

const named = (prefix: string, count: number, of: Omit<PodOf, 'name'> = {}): PodOf[] =>
  Array.from({ length: count }, (_, i) => ({ ...of, name: `${prefix}${i}` }));
const countsOf = (bound: ReadonlyMap<string, string>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const node of bound.values()) counts[node] = (counts[node] ?? 0) + 1;
  return counts;
};
const CPU = { requests: { cpu: '1', memory: '1Gi' } };

describe('a round of Poseidon', () => {
  test('places equal pods in one solve and spreads them by load', async () => {
    const { bound, solves } = await settledWorld({
      nodes: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
      pods: named('p', 6, CPU),
    });
    expect(countsOf(bound)).toEqual({ a: 2, b: 2, c: 2 });
    expect(solves).toBe(1);
  });

  test('considers the pods that other schedulers have placed', async () => {
    const others = named('other', 3, { ...CPU, nodeName: 'a', spec: { schedulerName: 'default-scheduler' } });
    const { bound } = await settledWorld({
      nodes: [{ name: 'a' }, { name: 'b' }],
      pods: [...others, ...named('p', 5, CPU)],
    });
    expect(countsOf(bound)).toEqual({ a: 1, b: 4 });
  });

  test('leaves pods of other schedulers alone', async () => {
    const { bound } = await settledWorld({
      nodes: [{ name: 'a' }],
      pods: [{ name: 'p', spec: { schedulerName: 'other' } }],
    });
    expect(bound.size).toBe(0);
  });

  test('places no more pods on a node than it may have, and reports the reason for the others', async () => {
    const nodes = [{ name: 'a', capacity: { cpu: '400', memory: '800Gi', pods: '3' } }];
    const { bound, refused } = await settledWorld({ nodes, pods: named('p', 5) });
    expect(countsOf(bound)).toEqual({ a: 3 });
    expect(refused.size).toBe(2);
    for (const patch of refused.values()) expect(patch).toContain('0/1 nodes are available: 1 Too many pods');
  });

  test('never overcommits a node that two classes fill in different resources', async () => {
    const wide = named('cpu', 4, { requests: { cpu: '2', memory: '1Gi' } });
    const deep = named('memory', 4, { requests: { cpu: '1', memory: '3Gi' } });
    const { bound, refused } = await settledWorld({ nodes: [{ name: 'a' }, { name: 'b' }], pods: [...wide, ...deep] });
    for (const node of ['a', 'b']) {
      const on = [...bound].filter(([, at]) => at === node).map(([name]) => name.slice(0, 3));
      const [cpu, memory] = [on.filter((one) => one === 'cpu').length, on.filter((one) => one === 'mem').length];
      expect(2 * cpu + memory).toBeLessThanOrEqual(4);
      expect(cpu + 3 * memory).toBeLessThanOrEqual(8);
    }
    expect(bound.size + refused.size).toBe(8);
    expect(bound.size).toBeGreaterThanOrEqual(4);
  });

  test('prefers pods of higher priority', async () => {
    const pods = [...named('low', 4, CPU), ...named('high', 4, { ...CPU, priority: 1000 })];
    const { bound } = await settledWorld({ nodes: [{ name: 'a' }], pods });
    expect([...bound.keys()].sort()).toEqual(['high0', 'high1', 'high2', 'high3']);
  });

  test('keeps required anti-affinity of equal pods by node and by zone', async () => {
    const against = (topologyKey: string) => ({
      labels: { app: 'a' },
      spec: {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey, labelSelector: { matchLabels: { app: 'a' } } },
            ],
          },
        },
      },
    });
    const nodes = ['a', 'b', 'c', 'd'].map((name, i) => ({
      name,
      labels: { 'kubernetes.io/hostname': name, zone: `z${i % 2}` },
    }));
    const byNode = await settledWorld({ nodes, pods: named('p', 6, against('kubernetes.io/hostname')) });
    expect(countsOf(byNode.bound)).toEqual({ a: 1, b: 1, c: 1, d: 1 });
    const byZone = await settledWorld({ nodes, pods: named('p', 6, against('zone')) });
    expect(byZone.bound.size).toBe(2);
    expect(byZone.refused.size).toBe(4);
  });

  test('fills topology domains evenly in one round', async () => {
    const spread = {
      labels: { app: 'a' },
      spec: {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'zone',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { app: 'a' } },
          },
        ],
      },
    };
    const nodes = ['a', 'b', 'c'].map((name) => ({
      name,
      labels: { zone: name },
      capacity: { cpu: '40', memory: '80Gi', pods: '50' },
    }));
    const { bound, solves } = await settledWorld({ nodes, pods: named('p', 30, spread) });
    expect(countsOf(bound)).toEqual({ a: 10, b: 10, c: 10 });
    expect(solves).toBe(1);
  });

  test('places pods with affinity to each other in one domain', async () => {
    const together = {
      labels: { app: 'a' },
      spec: {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'a' } } },
            ],
          },
        },
      },
    };
    const nodes = ['a', 'b', 'c', 'd'].map((name, i) => ({ name, labels: { zone: `z${i % 2}` } }));
    const { bound } = await settledWorld({ nodes, pods: named('p', 8, together) });
    expect(bound.size).toBe(8);
    expect(new Set([...bound.values()].map((node) => 'abcd'.indexOf(node) % 2)).size).toBe(1);
  });

  test('reports that no node exists', async () => {
    const { refused } = await settledWorld({ nodes: [], pods: named('p', 1) });
    expect(refused.get('p0')).toContain('no nodes available to schedule pods');
  });
});

describe('the cost models', () => {
  test('least-nodes fills one node before it opens the next', async () => {
    const nodes = ['a', 'b', 'c'].map((name) => ({ name }));
    const { bound } = await settledWorld({ nodes, pods: named('p', 6, CPU), model: 'least-nodes' });
    expect(Object.values(countsOf(bound)).sort()).toEqual([2, 4]);
  });

  test('net-aware balances the bandwidth that pods and nodes declare', async () => {
    const capacity = { cpu: '40', memory: '80Gi', pods: '50' };
    const nodes = [
      { name: 'wide', capacity: { ...capacity, 'davit.dev/network-bandwidth': '30' } },
      { name: 'narrow', capacity: { ...capacity, 'davit.dev/network-bandwidth': '10' } },
    ];
    const pods = named('p', 8, { requests: { cpu: '100m', 'davit.dev/network-bandwidth': '2' } });
    const { bound } = await settledWorld({ nodes, pods, model: 'net-aware' });
    expect(countsOf(bound)).toEqual({ wide: 6, narrow: 2 });
  });

  test('locality places pods where their image is', async () => {
    const nodes = [{ name: 'a' }, { name: 'b', images: { 'image:latest': 900 * 1024 * 1024 } }, { name: 'c' }];
    const { bound } = await settledWorld({ nodes, pods: named('p', 3), model: 'locality' });
    expect(countsOf(bound)).toEqual({ b: 3 });
  });
});
