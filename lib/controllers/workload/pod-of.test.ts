import { expect, test } from 'vitest';
import { podOf } from './pod-of.ts';

test('a pod has from the template its labels, annotations and finalizers, and nothing else of its metadata', () => {
  const metadata = { name: 'no', labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['e/f'] };
  const owner = { metadata: { name: 'web', namespace: 'here' }, spec: { template: { metadata, spec: { x: 1 } } } };
  expect(podOf(owner, { uid: 'u' })).toEqual({
    metadata: {
      namespace: 'here',
      generateName: 'web-',
      labels: { a: 'b' },
      annotations: { c: 'd' },
      finalizers: ['e/f'],
      ownerReferences: [{ uid: 'u' }],
    },
    spec: { x: 1 },
  });
});
