import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { JOBS, REPLICA_SETS } from '#lib/api/types/resources.ts';
import { podOf } from './pod-of.ts';

test('a misspelt field of an owner or its pod does not compile', () => {
  const owner = decodedAs(REPLICA_SETS, { spec: { template: { spec: { nodeName: 'n' } } } });
  const pod = podOf(owner, { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u' });
  expect(pod.spec.nodeName).toBe('n');
  // @ts-expect-error misspelt field
  expect(pod.spec.nodeNmae).toBe(undefined);
  // @ts-expect-error misspelt field
  expect(decodedAs(JOBS, {}).spec.paralelism).toBe(undefined);
});
