import { describe, expect, test } from 'vitest';
import type { MetricsPoint, NodeBatch } from './decode-batch.ts';
import { type NodePoints, nodeUsage, podUsage, withBatch } from './node-points.ts';

const EPOCH = 1_700_000_000_000;
const RESOLUTION = 60_000;

/** A point `seconds` after the epoch. */
const point = (seconds: number, cpuSeconds: number, startedAt?: number): MetricsPoint => ({
  timestamp: EPOCH + seconds * 1000,
  at: seconds * 1000,
  cpu: cpuSeconds * 1e9,
  memory: 1024,
  ...(startedAt === undefined ? {} : { startTime: EPOCH + startedAt * 1000 }),
});
const ofNode = (node: MetricsPoint): NodeBatch => ({ node, pods: new Map() });
const ofPod = (containers: Record<string, MetricsPoint>): NodeBatch => ({
  pods: new Map([['n/p', new Map(Object.entries(containers))]]),
});
const after = (...batches: readonly NodeBatch[]): NodePoints => {
  const [first = ofPod({}), ...rest] = batches;
  return rest.reduce((known, next) => withBatch(known, next, RESOLUTION), withBatch(undefined, first, RESOLUTION));
};
const shown = (points: NodePoints) => {
  const usages = podUsage(points, 'n/p');
  return usages && Object.fromEntries([...usages].map(([name, { cpu, window }]) => [name, [cpu, window]]));
};

describe('the usage of a node', () => {
  test('is undefined after one scrape', () => {
    expect(nodeUsage(after(ofNode(point(0, 10))))).toBeUndefined();
  });

  test('is the rate between the last two points', () => {
    expect(nodeUsage(after(ofNode(point(0, 10)), ofNode(point(15, 40)), ofNode(point(30, 47.5))))).toEqual({
      cpu: 5e8,
      memory: 1024,
      timestamp: EPOCH + 30_000,
      window: 15_000,
    });
  });

  test('uses the older point if a kubelet repeats a point', () => {
    const points = after(ofNode(point(0, 10)), ofNode(point(10, 15)), ofNode(point(10, 15)));
    expect(nodeUsage(points)).toMatchObject({ cpu: 5e8, window: 10_000 });
  });

  test('is undefined after a decrease of CPU time, until the next scrape', () => {
    const rebooted = [ofNode(point(0, 10)), ofNode(point(15, 1))];
    expect(nodeUsage(after(...rebooted))).toBeUndefined();
    expect(nodeUsage(after(...rebooted, ofNode(point(30, 16))))).toMatchObject({ cpu: 1e9 });
  });

  test('is undefined if a point is older than the last', () => {
    expect(nodeUsage(after(ofNode(point(10, 10)), ofNode(point(5, 11))))).toBeUndefined();
  });
});

describe('the usage of a pod', () => {
  test('contains the rates of its containers', () => {
    const points = after(
      ofPod({ a: point(0, 1, -500), b: point(0, 2, -500) }),
      ofPod({ a: point(20, 2, -500), b: point(20, 22, -500) }),
    );
    expect(shown(points)).toEqual({ a: [5e7, 20_000], b: [1e9, 20_000] });
  });

  test('is undefined after a container restart, until there are two points', () => {
    const points = after(
      ofPod({ a: point(0, 1, -500), b: point(0, 2, -500) }),
      ofPod({ a: point(20, 2, -500), b: point(20, 3, 15) }),
    );
    expect(shown(points)).toBeUndefined();
    const next = ofPod({ a: point(40, 3, -500), b: point(40, 13, 15) });
    expect(shown(withBatch(points, next, RESOLUTION))).toEqual({ a: [5e7, 20_000], b: [5e8, 20_000] });
  });

  test('is measured from the start if a container is between ten seconds and the resolution old', () => {
    expect(shown(after(ofPod({ a: point(100, 5, 90) })))).toEqual({ a: [5e8, 10_000] });
    expect(shown(after(ofPod({ a: point(100, 5, 91) })))).toBeUndefined();
    expect(shown(after(ofPod({ a: point(100, 5, 40) })))).toBeUndefined();
  });

  test('is measured from the last point rather than from the start', () => {
    const points = after(ofPod({ a: point(100, 5, 90) }), ofPod({ a: point(110, 5, 90) }));
    expect(shown(points)).toEqual({ a: [0, 10_000] });
  });

  test('is undefined for a deleted pod or a pod of another node', () => {
    expect(podUsage(after(ofPod({ a: point(0, 1) }), ofPod({ a: point(1, 1) })), 'n/other')).toBeUndefined();
    expect(shown(after(ofPod({ a: point(0, 1) }), ofPod({ a: point(1, 1) }), ofNode(point(2, 1))))).toBeUndefined();
  });
});
