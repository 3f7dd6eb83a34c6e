import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { internalError } from '#lib/machinery/errors.ts';
import { newQueuedPod } from '#lib/scheduler/backend/queue/queued-pod.ts';
import { aPodInfo, type PodOf } from '#lib/scheduler/testing/wrappers.ts';
import { gangsOf } from './gangs.ts';
import { settledWorld } from './testing.ts';

const CPU = { requests: { cpu: '1', memory: '1Gi' } };
/** Pods of a gang. */
const gang = (name: string, count: number, of: Omit<PodOf, 'name' | 'labels'> = CPU): PodOf[] =>
  Array.from({ length: count }, (_, i) => ({
    ...of,
    name: `${name}${i}`,
    labels: { 'scheduling.x-k8s.io/pod-group': name },
  }));
const NODES = [{ name: 'a', capacity: { cpu: '2', memory: '8Gi', pods: '10' } }, { name: 'b' }];

describe('a gang', () => {
  test('is placed as a whole if there is room for it', async () => {
    const { bound } = await settledWorld({ nodes: NODES, pods: gang('g', 6), groups: { g: 6 } });
    expect(bound.size).toBe(6);
  });

  test('is not placed at all if there is room for some of it only', async () => {
    const { bound, refused } = await settledWorld({ nodes: NODES, pods: gang('g', 7), groups: { g: 7 } });
    expect(bound.size).toBe(0);
    expect(refused.size).toBe(7);
    expect(refused.get('g0')).toContain('pod group default/g needs nodes for 7 pods at once, and 6 of them have one');
  });

  test('waits for its missing pods', async () => {
    const { bound, refused } = await settledWorld({ nodes: NODES, pods: gang('g', 2), groups: { g: 3 } });
    expect(bound.size).toBe(0);
    expect(refused.get('g0')).toContain('pod group default/g needs 3 more pods, and 2 are waiting');
  });

  test('counts members that already have nodes', async () => {
    const [first, second, ...others] = gang('g', 3);
    const running = [first, second].map((pod) => ({ name: '', ...pod, nodeName: 'a' }));
    const { bound } = await settledWorld({ nodes: NODES, pods: [...running, ...others], groups: { g: 3 } });
    expect([...bound.keys()]).toEqual(['g2']);
  });

  test('is placed partly if more pods exist than it needs', async () => {
    const { bound, refused } = await settledWorld({ nodes: NODES, pods: gang('g', 8), groups: { g: 4 } });
    expect([bound.size, refused.size]).toEqual([6, 2]);
  });

  test('makes room for a gang of higher priority', async () => {
    const low = gang('low', 4);
    const high = gang('high', 4, { ...CPU, priority: 10 });
    const { bound, refused } = await settledWorld({
      nodes: NODES,
      pods: [...low, ...high],
      groups: { low: 4, high: 4 },
    });
    expect([...bound.keys()].sort()).toEqual(['high0', 'high1', 'high2', 'high3']);
    expect(refused.size).toBe(4);
  });

  test('leaves its room to other pods while it waits', async () => {
    const pods = [...gang('g', 7), { ...CPU, name: 'single' }];
    const { bound } = await settledWorld({ nodes: NODES, pods, groups: { g: 7 } });
    expect([...bound.keys()]).toEqual(['single']);
  });

  test('waits if its PodGroup does not exist', async () => {
    const { bound, refused } = await settledWorld({ nodes: NODES, pods: gang('g', 1) });
    expect(bound.size).toBe(0);
    expect(refused.get('g0')).toContain('pod group default/g does not exist');
  });

  test('counts as one without a PodGroup if that cannot be read, and the error is reported', async () => {
    const [pod = { name: 'g0' }] = gang('g', 1);
    const queued = newQueuedPod(aPodInfo(pod), 0);
    const faults: unknown[] = [];
    const refused = internalError('etcd is down');
    const client = { get: () => Promise.reject(refused) };
    const { needy, orphans } = await gangsOf({ client, reportFault: (fault) => void faults.push(fault) }, [queued], []);
    expect([needy.size, orphans, faults]).toEqual([0, [queued], [refused]]);
  });

  test('is placed as a whole or not at all in random worlds', async () => {
    const sizes = fc.array(fc.record({ count: fc.integer({ min: 1, max: 6 }), cpu: fc.integer({ min: 1, max: 3 }) }), {
      minLength: 1,
      maxLength: 4,
    });
    const cpus = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(sizes, cpus, async (gangs, nodes) => {
        const { bound } = await settledWorld({
          nodes: nodes.map((cpu, i) => ({ name: `n${i}`, capacity: { cpu: `${cpu}`, memory: '64Gi', pods: '20' } })),
          pods: gangs.flatMap(({ count, cpu }, i) => gang(`g${i}x`, count, { requests: { cpu: `${cpu}` } })),
          groups: Object.fromEntries(gangs.map(({ count }, i) => [`g${i}x`, count])),
        });
        for (const [i, { count }] of gangs.entries()) {
          const members = [...bound.keys()].filter((name) => name.startsWith(`g${i}x`)).length;
          expect([0, count]).toContain(members);
        }
      }),
      { numRuns: process.env['DAVIT_FULL'] === undefined ? 100 : 2000 },
    );
  });
});
