import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { requestsOf } from './pods.ts';
import { forShare, forUsage, forUtilization, forValue, type Workload } from './replicas.ts';
import type { Samples } from './sample.ts';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const iso = (ago: number): string => new Date(NOW - ago * 1000).toISOString();

/** The state of a pod: ready, not ready (and never was), hot (just started), or its phase. */
type State = 'ready' | 'unready' | 'hot' | 'Failed' | 'Pending' | 'going';

function aPod(index: number, state: State): Pod {
  const phase = state === 'Failed' || state === 'Pending' ? state : 'Running';
  const status = state === 'ready' || state === 'hot' ? 'True' : 'False';
  const began = state === 'hot' ? 10 : 3500;
  const condition = { type: 'Ready', status, lastTransitionTime: iso(state === 'hot' ? 0 : began) };
  return decodedAs(PODS, {
    metadata: { name: `p${index}`, ...(state === 'going' ? { deletionTimestamp: iso(0) } : {}) },
    spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] },
    status: { phase, startTime: iso(began), conditions: [condition] },
  });
}

const work = (replicas: number, states: readonly State[]): Workload => ({
  replicas,
  pods: states.map((state, index) => aPod(index, state)),
  tolerances: { down: 0.1, up: 0.1 },
  now: NOW,
});

const samples = (levels: readonly number[]): Samples =>
  new Map(levels.map((value, index) => [`p${index}`, { value, time: NOW, window: 60_000 }]));

const R = 'ready';
const U = 'unready';

test.each<[string, number, State[], number[], number, [number, number] | string]>([
  ['up', 3, [R, R, R], [300, 500, 700], 30, [5, 50]],
  ['up, less with an unready pod', 3, [U, R, R], [300, 500, 700], 30, [4, 60]],
  ['up, less with a pod that just started', 3, ['hot', R, R], [300, 500, 700], 30, [4, 60]],
  ['not, with most pods unready', 3, [R, U, U], [400, 500, 700], 30, [3, 40]],
  ['not, with most pods just started', 3, [R, 'hot', 'hot'], [400, 500, 700], 30, [3, 40]],
  ['up, without failed pods', 2, [R, R, 'Failed', 'Failed'], [500, 700], 30, [4, 60]],
  ['up, without terminating pods', 2, [R, R, 'going', 'going'], [500, 700], 30, [4, 60]],
  ['down', 5, [R, R, R, R, R], [100, 300, 500, 250, 250], 50, [3, 28]],
  ['down, without an unready pod', 5, [R, R, R, R, U], [100, 300, 500, 250, 250], 50, [3, 28]],
  ['not, within tolerance', 3, [R, R, R], [1010, 1030, 1020], 100, [3, 102]],
  ['not up, with a sample missing', 2, [R, R], [1000], 100, [2, 100]],
  ['not down, with a sample missing', 2, [R, R], [400], 50, [2, 40]],
  ['down, with samples missing', 4, [R, R, R, R], [100, 100, 100], 50, [3, 10]],
  ['up, with a pending pod', 4, [R, R, 'Pending', R], [700, 700, 0, 700], 30, [7, 70]],
  ['not, without any sample', 1, [R], [], 100, 'did not receive metrics for targeted pods (pods might be unready)'],
  ['not, without any pod', 1, [], [100], 100, 'no pods returned by selector while calculating replica count'],
])('scales by utilization: %s', (_, replicas, states, levels, target, expected) => {
  const given = work(replicas, states);
  const requests = requestsOf(given.pods, 'cpu', '');
  if (typeof requests === 'string') throw new TypeError(requests);
  const found = forUtilization(given, samples(levels), { target, requests, resource: 'cpu' });
  expect(typeof found === 'string' ? found : [found.replicas, found.utilization]).toEqual(expected);
});

test('returns a message if only samples of other pods exist', () => {
  const other: Samples = new Map([['older', { value: 100, time: NOW, window: 60_000 }]]);
  const found = forUtilization(work(1, [R]), other, {
    target: 100,
    requests: new Map([['p0', 1000]]),
    resource: 'cpu',
  });
  expect(found).toBe('no metrics returned matched known pods');
});

test.each<[string, number, State[], number[], number, [number, number]]>([
  ['up', 3, [R, R, R], [20_000, 10_000, 30_000], 15_000, [4, 20_000]],
  ['up, including unready pods', 3, [R, U, R], [50_000, 10_000, 30_000], 15_000, [6, 30_000]],
  ['down', 5, [R, R, R, R, R], [12_000, 12_000, 12_000, 12_000, 12_000], 20_000, [3, 12_000]],
  ['not, within tolerance', 3, [R, R, R], [20_000, 21_000, 21_000], 20_000, [3, 20_666]],
  ['not down, with a sample missing', 2, [R, R], [10_000], 11_000, [2, 10_000]],
])('scales by usage: %s', (_, replicas, states, levels, target, expected) => {
  const found = forUsage(work(replicas, states), samples(levels), target, '');
  expect(typeof found === 'string' ? found : [found.replicas, found.usage]).toEqual(expected);
});

test.each<[string, number, State[], number, number, number]>([
  ['up', 3, [R, R, R], 20_000, 15_000, 4],
  ['up from the ready pods', 3, [R, R, U], 50_000, 15_000, 7],
  ['down', 5, [R, R, R, R, R], 12_000, 20_000, 3],
  ['not, within tolerance', 3, [R, R, R], 20_666, 20_000, 3],
  ['up from zero', 0, [], 3000, 1000, 3],
  ['down to zero', 1, [R], 0, 1000, 0],
  ['no further than numbers go', 3, [R, R, R], 2 ** 62, 1, MAX_INT32],
])('scales by one value: %s', (_, replicas, states, value, target, expected) =>
  expect(forValue(work(replicas, states), value, target)).toMatchObject({ replicas: expected }),
);

test.each<[string, number, number, number, [number, number]]>([
  ['up', 3, 8600, 2150, [4, 2867]],
  ['down', 5, 8600, 2867, [3, 1720]],
  ['not, within tolerance', 3, 8600, 2867, [3, 2867]],
  ['no further than numbers go', 1, 2 ** 62, 1, [MAX_INT32, 2 ** 62]],
])('scales by an average of one value: %s', (_, replicas, value, target, [wanted, usage]) =>
  expect(forShare({ down: 0.1, up: 0.1 }, replicas, value, target)).toEqual({ replicas: wanted, usage }),
);

test.each<[string, JsonObject, string, number | string]>([
  ['of all containers', {}, '', 1500],
  ['of one container', {}, 'b', 500],
  ['of an unknown container', {}, 'x', 'container x not found in Pod p'],
  ['of the pod itself', { resources: { requests: { cpu: '3' } } }, '', 3000],
  [
    'if a container has none',
    { initContainers: [{ name: 's', restartPolicy: 'Always' }] },
    '',
    'missing request for cpu in container s of Pod p',
  ],
])('computes the requests %s', (_, more, container, expected) => {
  const cpu = (name: string, amount: string) => ({ name, resources: { requests: { cpu: amount } } });
  const spec = { containers: [cpu('a', '1'), cpu('b', '500m')], ...more };
  const found = requestsOf([decodedAs(PODS, { metadata: { name: 'p' }, spec })], 'cpu', container);
  expect(typeof found === 'string' ? found : found.get('p')).toBe(expected);
});
