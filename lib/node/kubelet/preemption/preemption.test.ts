import { expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { StepClock } from '../testing/step-clock.ts';
import { podsToPreempt, preemptFor } from './preemption.ts';

const aPod = (name: string, priority: number, requests: Record<string, string> = {}, limits = requests): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', uid: name },
  spec: { priority, containers: [{ name: 'c', image: 'i', resources: { requests, limits } }] },
  status: {},
});
const CRITICAL = aPod('critical', 2_000_000_000);
const BEST_EFFORT = aPod('best-effort', 0);
const BURSTABLE = aPod('burstable', 0, { cpu: '100m', memory: '100' }, {});
const LARGE_BURSTABLE = aPod('large-burstable', 0, { cpu: '500m', memory: '500' }, {});
const GUARANTEED = aPod('guaranteed', 0, { cpu: '500m', memory: '500' });
const ALL = [GUARANTEED, LARGE_BURSTABLE, BURSTABLE, BEST_EFFORT];

const names = (pods: readonly Pod[]): string[] => pods.map(({ metadata }) => metadata.name ?? '');
const chosen = (resource: string, quantity: number, pods = ALL): string[] =>
  names(podsToPreempt(CRITICAL, pods, [{ resource, quantity }]));

test.each([
  ['a place for a pod', 'pods', 1, ['best-effort']],
  ['a little CPU', 'cpu', 100, ['burstable']],
  ['more than the small pod has', 'cpu', 400, ['large-burstable']],
  ['more than burstable pods have', 'cpu', 700, ['large-burstable', 'guaranteed']],
  ['all memory', 'memory', 1100, ['large-burstable', 'burstable', 'guaranteed']],
])('kills the least important sufficient pods to free %s', (_, resource, quantity, expected) => {
  expect(chosen(resource, quantity)).toEqual(expected);
});

test('throws if all pods together are not sufficient', () => {
  expect(() => chosen('cpu', 5000)).toThrow(
    'preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [(res: cpu, q: 3900), ]',
  );
});

test('kills neither critical pods nor those with a higher priority', () => {
  expect(() => chosen('pods', 1, [aPod('other-critical', 2_000_000_000)])).toThrow('no set of running pods found');
  expect(
    names(podsToPreempt(aPod('a', 10), [aPod('b', 5), aPod('c', 20)], [{ resource: 'pods', quantity: 1 }])),
  ).toEqual(['b']);
});

const INSUFFICIENT = {
  reason: 'Insufficient cpu',
  unresolvable: false,
  name: 'cpu',
  requested: 300,
  used: 900,
  capacity: 1000,
};
const OTHER = { predicate: 'NodePorts', description: 'taken' };

test('kills others for the resources of a critical pod and reports the reason', async () => {
  const killed: string[] = [];
  const events: string[] = [];
  const ports = {
    pods: () => ALL,
    clock: new StepClock(async () => undefined, 0),
    killPod: async (pod: Pod, change: (status: NonNullable<Pod['status']>) => void) => {
      const status = {};
      change(status);
      killed.push(`${pod.metadata.name} ${JSON.stringify(status)}`);
    },
    recorder: { event: (_: unknown, ...words: string[]) => void events.push(words.join(' ')) },
  };
  expect(await preemptFor(ports, CRITICAL, [INSUFFICIENT])).toEqual([]);
  expect(killed).toEqual([
    'large-burstable {"phase":"Failed","reason":"Preempting","message":"Preempted in order to admit critical pod","conditions":[{"type":"DisruptionTarget","observedGeneration":0,"status":"True","lastProbeTime":null,"lastTransitionTime":"1970-01-01T00:00:00Z","reason":"TerminationByKubelet","message":"Pod was preempted by Kubelet to accommodate a critical pod."}]}',
  ]);
  expect(events).toEqual(['Warning Preempting Preempted in order to admit critical pod']);
  expect(await preemptFor(ports, CRITICAL, [INSUFFICIENT, OTHER])).toEqual([OTHER]);
  expect(await preemptFor(ports, aPod('plain', 0), [INSUFFICIENT])).toEqual([INSUFFICIENT]);
  expect(killed).toHaveLength(1);
});
