import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { REPLICA_SETS } from '#lib/api/types/resources.ts';
import { podOf } from './pod-of.ts';

test('copies only labels, annotations and finalizers from the metadata of a template', () => {
  const spec = { containers: [], nodeName: 'n' };
  const metadata = { name: 'no', labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['e/f'] };
  const owner = decodedAs(REPLICA_SETS, {
    metadata: { name: 'web', namespace: 'here' },
    spec: { template: { metadata, spec } },
  });
  const reference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u' };
  expect(podOf(owner, reference)).toEqual({
    metadata: {
      namespace: 'here',
      generateName: 'web-',
      labels: { a: 'b' },
      annotations: { c: 'd' },
      finalizers: ['e/f'],
      ownerReferences: [reference],
    },
    spec,
  });
});
