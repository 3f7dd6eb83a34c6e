import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { ReplicaSet } from '#lib/api/types/apps.v1.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS, REPLICA_SETS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { lacking, statusFor } from './decide.ts';

const pods = (number: number): Pod[] => Array.from({ length: number }, () => decodedAs(PODS, {}));

test.each([
  [3, 1, 2],
  [1, 3, -2],
  [900, 0, 500],
  [0, 900, -500],
])('computes the pods to create (or delete) for %i wanted and %i existing ones: %i', (replicas, active, wanted) => {
  expect(lacking(decodedAs(REPLICA_SETS, { spec: { replicas } }), pods(active))).toBe(wanted);
});

describe('the status of a ReplicaSet', () => {
  const observed = { active: [], terminating: [], failure: undefined, now: 0 };
  const owner = (status: JsonObject, spec: JsonObject = { replicas: 1 }): ReplicaSet =>
    decodedAs(REPLICA_SETS, { metadata: { generation: 2 }, spec, status });

  test('is not written if it is up to date', () => {
    expect(statusFor(owner({ replicas: 0, terminatingReplicas: 0, observedGeneration: 2 }), observed)).toBeUndefined();
  });

  test('reports a failure once, and not after it is over', () => {
    const failed = statusFor(owner({ replicas: 0 }), { ...observed, failure: 'no' });
    const condition = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'no' };
    expect(failed).toMatchObject({ conditions: [condition] });
    expect(statusFor(owner(failed ?? {}), { ...observed, failure: 'still', now: 9e6 })).toBeUndefined();
    expect(statusFor(owner(failed ?? {}), observed)).not.toHaveProperty('conditions');
  });

  test('counts pods with all labels of the template as fully labeled', () => {
    const set = owner({}, { replicas: 2, template: { metadata: { labels: { a: '1', b: '2' } } } });
    const labeled = (labels: JsonObject): Pod => decodedAs(PODS, { metadata: { labels } });
    const active = [labeled({ a: '1', b: '2', c: '3' }), labeled({ a: '1' })];
    expect(statusFor(set, { ...observed, active })).toMatchObject({ replicas: 2, fullyLabeledReplicas: 1 });
  });
});
