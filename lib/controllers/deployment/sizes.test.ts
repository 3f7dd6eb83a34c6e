import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Deployment, ReplicaSet } from '#lib/api/types/apps.v1.ts';
import { DEPLOYMENTS, REPLICA_SETS } from '#lib/api/types/resources.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { maxSurge, maxUnavailable } from './limits.ts';
import { DESIRED, MAXIMUM } from './revisions.ts';
import { newSize, type Sizing, scaleAll, shrinkOld } from './sizes.ts';

const aDeployment = (replicas: number, surge: number | string, unavailable: number | string): Deployment =>
  decodedAs(DEPLOYMENTS, {
    spec: {
      replicas,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } },
    },
  });

/** A ReplicaSet whose annotations say that it was last scaled for a deployment of `desired` replicas, with a maximum of `most`. */
const aSet = (name: string, replicas: number, available = replicas, desired = 10, most = 13): ReplicaSet =>
  decodedAs(REPLICA_SETS, {
    metadata: {
      name,
      creationTimestamp: `2026-01-${String(name.charCodeAt(0) - 96).padStart(2, '0')}T00:00:00Z`,
      annotations: { [DESIRED]: String(desired), [MAXIMUM]: String(most) },
    },
    spec: { replicas },
    status: { replicas, availableReplicas: available },
  });

const sizes = (sizings: readonly Sizing[]): unknown =>
  Object.fromEntries(sizings.map(({ set, replicas }) => [nameOf(set), replicas]));

test.each([
  [10, 3, 2, 3, 2],
  [10, '25%', '25%', 3, 2],
  [2, '0%', '1%', 0, 1],
  [1, 0, '25%', 0, 1],
  [2, '1%', '0%', 1, 0],
  [1, '1%', '25%', 1, 0],
  [2, 0, 5, 0, 2],
  [0, 1, 1, 1, 0],
])(
  'rounds with %i replicas a surge of %s and %s unavailable to %i and %i',
  (replicas, surge, unavailable, above, missing) => {
    const deployment = aDeployment(replicas, surge, unavailable);
    expect([maxSurge(deployment), maxUnavailable(deployment)]).toEqual([above, missing]);
  },
);

test.each([
  ['grows into the surge', 10, 0, 3],
  ['grows only to the wanted size', 1, 8, 10],
  ['keeps its size if there is no room', 12, 1, 1],
  ['shrinks to the wanted size', 0, 12, 10],
])('the newest set %s', (_, old, size, wanted) => {
  const sets = [aSet('a', old), aSet('b', size)];
  expect(newSize(aDeployment(10, 3, 2), sets, size)).toBe(wanted);
});

describe('old sets during a rollout', () => {
  test.each<[string, ReplicaSet, ReplicaSet[], unknown]>([
    ['scale down by maxUnavailable', aSet('z', 3, 0), [aSet('a', 10)], { a: 8 }],
    ['keep the needed pods while new pods do not become available', aSet('z', 5, 0), [aSet('a', 8)], {}],
    ['keep even unavailable pods while new pods do not become available', aSet('z', 5, 0), [aSet('a', 8, 7)], {}],
    ['remove unavailable pods first', aSet('z', 0), [aSet('a', 6, 6), aSet('b', 7, 2)], { b: 2 }],
    ['scale down the oldest set first', aSet('z', 10), [aSet('a', 1), aSet('b', 2)], { a: 0, b: 0 }],
  ])('old sets %s', (_, current, old, wanted) => {
    const named = { ...current, metadata: { name: 'current' } };
    expect(sizes(shrinkOld(aDeployment(10, 3, 2), named, old))).toEqual(wanted);
  });
});

describe('scaling of a deployment', () => {
  test.each<[string, number, ReplicaSet[], unknown]>([
    ['gives all replicas to the only active set', 12, [aSet('a', 10), aSet('b', 0)], { a: 12 }],
    ['gives all replicas to the newest set if none is active', 5, [aSet('a', 0), aSet('b', 0)], { b: 5 }],
    ['distributes additional replicas proportionally', 20, [aSet('a', 8), aSet('b', 5)], { a: 14, b: 9 }],
    ['distributes removed replicas proportionally', 5, [aSet('a', 8), aSet('b', 5)], { a: 5, b: 3 }],
    ['scales all sets to zero', 0, [aSet('a', 8), aSet('b', 5)], { a: 0, b: 0 }],
  ])('scaling a deployment %s', (_, replicas, [old, current], wanted) => {
    const { sizings } = scaleAll(aDeployment(replicas, 3, 2), current, old === undefined ? [] : [old]);
    expect(sizes(sizings)).toEqual(wanted);
  });

  test('scales old sets to zero once the newest set is complete', () => {
    const current = aSet('b', 10, 10, 10);
    expect(sizes(scaleAll(aDeployment(10, 3, 2), current, [aSet('a', 2)]).sizings)).toEqual({ a: 0 });
  });
});
