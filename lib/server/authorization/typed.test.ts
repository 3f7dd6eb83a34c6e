import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { namesIn } from './node/references.ts';

const pod = decodedAs(PODS, { metadata: { name: 'p' }, spec: { serviceAccountName: 'a', containers: [] } });

test('the references of a node accept a pod and no other object', () => {
  expect(namesIn(pod, 'serviceaccounts')).toEqual(['a']);
  // @ts-expect-error a spec is not a pod
  expect(() => namesIn(pod.spec, 'serviceaccounts')).toThrow(TypeError);
});
