import { describe, expect, test } from 'vitest';
import { aNode, aPodInfo } from '../../testing/wrappers.ts';
import { Cache } from './cache.ts';

const zone = (name: string) => ({ 'topology.kubernetes.io/zone': name });
const cpuOn = (cache: Cache, name: string): number | undefined => cache.takeSnapshot().get(name)?.requested.milliCpu;

function cacheOf(...names: string[]): Cache {
  const cache = new Cache();
  for (const name of names) cache.setNode(aNode({ name }));
  return cache;
}

describe('Cache: pods on a node', () => {
  test.each<[string, (cache: Cache) => void, number]>([
    ['are assumed on the node', (cache) => cache.assume(aPodInfo({ requests: { cpu: '1' } }), 'n'), 1000],
    [
      'were assumed and forgotten',
      (cache) => {
        cache.assume(aPodInfo({ requests: { cpu: '1' } }), 'n');
        expect([cache.isAssumed('pod'), cache.forget('pod'), cache.forget('pod')]).toEqual([true, true, false]);
      },
      0,
    ],
    [
      'are assumed and then confirmed by the API',
      (cache) => {
        cache.assume(aPodInfo({ requests: { cpu: '1' } }), 'n');
        cache.setPod(aPodInfo({ requests: { cpu: '1' } }), 'n');
        expect([cache.isAssumed('pod'), cache.forget('pod')]).toEqual([false, false]);
      },
      1000,
    ],
    [
      'changed their requests',
      (cache) => {
        cache.setPod(aPodInfo({ requests: { cpu: '1' } }), 'n');
        cache.setPod(aPodInfo({ requests: { cpu: '2' } }), 'n');
      },
      2000,
    ],
    [
      'the API reports on another node',
      (cache) => {
        cache.assume(aPodInfo({ requests: { cpu: '1' } }), 'n');
        cache.setPod(aPodInfo({ requests: { cpu: '1' } }), 'other');
      },
      0,
    ],
    [
      'were removed',
      (cache) => {
        cache.setPod(aPodInfo({ requests: { cpu: '1' } }), 'n');
        cache.removePod('pod');
      },
      0,
    ],
  ])('tracks the requests of pods that %s', (_, act, expected) => {
    const cache = cacheOf('n', 'other');
    act(cache);
    expect(cpuOn(cache, 'n')).toBe(expected);
  });

  test('keeps pods that arrive before their node, also after the node is added again', () => {
    const cache = new Cache();
    cache.setPod(aPodInfo({ requests: { cpu: '1' } }), 'n');
    expect(cache.takeSnapshot().nodes).toEqual([]);
    cache.setNode(aNode({ name: 'n' }));
    expect(cpuOn(cache, 'n')).toBe(1000);
    cache.removeNode('n');
    expect(cpuOn(cache, 'n')).toBeUndefined();
    cache.setNode(aNode({ name: 'n' }));
    expect(cpuOn(cache, 'n')).toBe(1000);
    cache.removeNode('n');
    cache.removePod('pod');
    cache.setNode(aNode({ name: 'n' }));
    expect(cpuOn(cache, 'n')).toBe(0);
  });

  test('counts assumed pods on their node', () => {
    const cache = cacheOf('n');
    cache.assume(aPodInfo(), 'n');
    expect(cache.getPod('pod')?.pod).toMatchObject({ spec: { nodeName: 'n' } });
  });
});

describe('Cache: the snapshot', () => {
  test('does not change until the next update', () => {
    const cache = cacheOf('n');
    const snapshot = cache.takeSnapshot();
    cache.assume(aPodInfo({ requests: { cpu: '1' } }), 'n');
    expect(snapshot.get('n')?.requested.milliCpu).toBe(0);
    cache.takeSnapshot();
    expect(snapshot.get('n')?.requested.milliCpu).toBe(1000);
  });

  test('copies only the nodes that changed', () => {
    const cache = cacheOf('a', 'b');
    const before = cache.takeSnapshot().get('a');
    cache.assume(aPodInfo(), 'b');
    expect(cache.takeSnapshot().get('a')).toBe(before);
  });

  test('interleaves the nodes of all zones, in the order in which they were added', () => {
    const cache = new Cache();
    for (const [name, of] of [
      ['a1', 'a'],
      ['a2', 'a'],
      ['b1', 'b'],
      ['a3', 'a'],
      ['b2', 'b'],
    ] as const)
      cache.setNode(aNode({ name, labels: zone(of) }));
    expect(cache.takeSnapshot().nodes.map(({ name }) => name)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
    cache.setNode(aNode({ name: 'a1', labels: zone('c') }));
    expect(cache.takeSnapshot().nodes.map(({ name }) => name)).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  });

  test('updates the nodes with affinity when their pods change', () => {
    const cache = cacheOf('n');
    const apart = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] } };
    expect(cache.takeSnapshot().withAffinity).toEqual([]);
    cache.setPod(aPodInfo({ spec: { affinity: apart } }), 'n');
    const { withAffinity, withRequiredAntiAffinity } = cache.takeSnapshot();
    expect([withAffinity.length, withRequiredAntiAffinity.length]).toEqual([1, 1]);
    cache.removePod('pod');
    expect(cache.takeSnapshot().withAffinity).toEqual([]);
  });
});

test('counts images over all nodes, including nodes added later', () => {
  const cache = new Cache();
  const state = () => cache.takeSnapshot().get('a')?.imageStates.get('web');
  cache.setNode(aNode({ name: 'a', images: { web: 7 } }));
  expect(state()).toMatchObject({ size: 7, numNodes: 1 });
  cache.setNode(aNode({ name: 'b', images: { web: 7 } }));
  expect(state()).toMatchObject({ numNodes: 2 });
  cache.removeNode('b');
  expect(state()).toMatchObject({ numNodes: 1 });
});

test('reports the nodes that were replaced since a version, until the order of nodes changes or there are too many', () => {
  const cache = cacheOf('a', 'b');
  const { version } = cache.takeSnapshot();
  const snapshot = cache.snapshot;
  const use = (name: string): void => {
    cache.setPod(aPodInfo({ name: `p${snapshot.version}` }), name);
    cache.takeSnapshot();
  };
  expect(snapshot.changedSince(version)).toEqual([]);
  use('b');
  use('a');
  expect(snapshot.changedSince(version)).toEqual([1, 0]);
  const later = snapshot.version;
  for (let i = 0; i < 200; i++) use('b');
  expect(snapshot.changedSince(later)).toBeUndefined();
  const last = snapshot.version;
  cache.setNode(aNode({ name: 'c' }));
  cache.takeSnapshot();
  expect(snapshot.version).toBeGreaterThan(last);
  expect(snapshot.changedSince(last)).toBeUndefined();
});
