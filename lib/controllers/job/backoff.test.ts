import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { backoffOf, following, NO_BACKOFF, remaining } from './backoff.ts';
import { endedAt } from './pod.ts';

const at = (second: number): string => new Date(second * 1000).toISOString();
const ended = (second: number, metadata: JsonObject = {}): Pod =>
  decodedAs(PODS, {
    metadata,
    status: { phase: 'Failed', containerStatuses: [{ name: 'c', state: { terminated: { finishedAt: at(second) } } }] },
  });

describe('failures since the last success', () => {
  test.each<[string, number[], number[], number, number]>([
    ['no new failure', [], [], 2, 50_000],
    ['more failures', [], [60, 70], 4, 70_000],
    ['a success', [60], [], 0, 0],
    ['a success after the failures', [80], [60, 70], 0, 0],
    ['a success between the failures', [65], [60, 70], 1, 70_000],
  ])('are counted with %s', (_, succeeded, failed, failures, last) => {
    const pods = { succeeded: succeeded.map((second) => ended(second)), failed: failed.map((second) => ended(second)) };
    expect(following({ failures: 2, last: 50_000 }, pods)).toEqual({ failures, last });
  });

  test('are restored from pods that were counted before', () => {
    const held = ended(30, { finalizers: ['batch.kubernetes.io/job-tracking'] });
    expect(backoffOf([ended(10), ended(20), held])).toEqual({ failures: 2, last: 20_000 });
    expect(backoffOf([])).toEqual(NO_BACKOFF);
  });
});

test('subtracts the elapsed time', () => {
  expect(remaining({ failures: 1, last: 1000 }, 4000)).toBe(7000);
  expect(remaining({ failures: 1, last: 1000 }, 40_000)).toBe(0);
  expect(remaining(NO_BACKOFF, 0)).toBe(0);
});

test.each<[string, JsonObject, number]>([
  ['its last container', { status: ended(9).status }, 9],
  [
    'its sidecar',
    {
      spec: { initContainers: [{ name: 's', restartPolicy: 'Always' }, { name: 'i' }] },
      status: {
        containerStatuses: [{ name: 'c', state: { terminated: { finishedAt: at(3) } } }],
        initContainerStatuses: [
          { name: 's', state: { terminated: { finishedAt: at(5) } } },
          { name: 'i', state: { terminated: { finishedAt: at(7) } } },
        ],
      },
    },
    5,
  ],
  [
    'its readiness if a container has no end',
    {
      status: {
        containerStatuses: [{ name: 'c', state: { running: {} } }],
        conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: at(4) }],
      },
    },
    4,
  ],
  ['its deletion', { metadata: { deletionTimestamp: at(40), deletionGracePeriodSeconds: 30 } }, 10],
  ['its creation', { metadata: { creationTimestamp: at(2) } }, 2],
])('derives the end of a pod from %s', (_, pod, second) => {
  expect(endedAt(decodedAs(PODS, pod))).toBe(second * 1000);
});
