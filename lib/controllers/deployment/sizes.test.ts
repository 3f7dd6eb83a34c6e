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

/** A set of so many replicas, so many of them available; sized for a deployment of `desired`, with `most` at most. */
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
  'makes of %i replicas, %s above and %s missing whole numbers: %i and %i',
  (replicas, surge, unavailable, above, missing) => {
    const deployment = aDeployment(replicas, surge, unavailable);
    expect([maxSurge(deployment), maxUnavailable(deployment)]).toEqual([above, missing]);
  },
);

test.each([
  ['grows into the surge', 10, 0, 3],
  ['grows no further than what is wanted', 1, 8, 10],
  ['stays where there is no room', 12, 1, 1],
  ['shrinks to what is wanted', 0, 12, 10],
])('the newest set %s', (_, old, size, wanted) => {
  const sets = [aSet('a', old), aSet('b', size)];
  expect(newSize(aDeployment(10, 3, 2), sets, size)).toBe(wanted);
});

describe('old sets', () => {
  test.each<[string, ReplicaSet, ReplicaSet[], unknown]>([
    ['give up what may be missing', aSet('z', 3, 0), [aSet('a', 10)], { a: 8 }],
    ['keep what is needed while new pods do not come up', aSet('z', 5, 0), [aSet('a', 8)], {}],
    ['keep even what is not available then', aSet('z', 5, 0), [aSet('a', 8, 7)], {}],
    ['give up what is not available first', aSet('z', 0), [aSet('a', 6, 6), aSet('b', 7, 2)], { b: 2 }],
    ['give up the oldest first', aSet('z', 10), [aSet('a', 1), aSet('b', 2)], { a: 0, b: 0 }],
  ])('%s', (_, current, old, wanted) => {
    const named = { ...current, metadata: { name: 'current' } };
    expect(sizes(shrinkOld(aDeployment(10, 3, 2), named, old))).toEqual(wanted);
  });
});

describe('when the deployment is scaled', () => {
  test.each<[string, number, ReplicaSet[], unknown]>([
    ['the only active set gets all', 12, [aSet('a', 10), aSet('b', 0)], { a: 12 }],
    ['the newest does where none is active', 5, [aSet('a', 0), aSet('b', 0)], { b: 5 }],
    ['several share what is added', 20, [aSet('a', 8), aSet('b', 5)], { a: 14, b: 9 }],
    ['several share what is taken', 5, [aSet('a', 8), aSet('b', 5)], { a: 5, b: 3 }],
    ['all go to none', 0, [aSet('a', 8), aSet('b', 5)], { a: 0, b: 0 }],
  ])('%s', (_, replicas, [old, current], wanted) => {
    const { sizings } = scaleAll(aDeployment(replicas, 3, 2), current, old === undefined ? [] : [old]);
    expect(sizes(sizings)).toEqual(wanted);
  });

  test('old sets give way to a newest one that has all there is to have', () => {
    const current = aSet('b', 10, 10, 10);
    expect(sizes(scaleAll(aDeployment(10, 3, 2), current, [aSet('a', 2)]).sizings)).toEqual({ a: 0 });
  });
});
