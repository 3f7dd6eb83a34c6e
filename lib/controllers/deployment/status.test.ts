import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { DEPLOYMENTS } from '#lib/api/types/resources.ts';
import { nextLook } from './status.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

/** A deployment with two replicas, one of them ready, whose condition changed `age` seconds ago. */
const waiting = (reason: string, age: number) =>
  decodedAs(DEPLOYMENTS, {
    spec: { replicas: 2, progressDeadlineSeconds: 600 },
    status: {
      replicas: 2,
      updatedReplicas: 2,
      availableReplicas: 1,
      conditions: [
        { type: 'Progressing', status: 'True', reason, lastUpdateTime: new Date(NOW - age * 1000).toISOString() },
      ],
    },
  });

test.each([
  ['ReplicaSetUpdated', 60, 541_000],
  ['ReplicaSetUpdated', 900, 1_000],
  ['NewReplicaSetAvailable', 60, undefined],
  ['NewReplicaSetAvailable', 900, undefined],
  ['ProgressDeadlineExceeded', 900, undefined],
])('computes the delay until the deadline check with %s for %d seconds', (reason, age, expected) => {
  expect(nextLook(waiting(reason, age), NOW)).toBe(expected);
});
