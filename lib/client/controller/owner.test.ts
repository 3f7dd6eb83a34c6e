import { expect, test } from 'vitest';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { setControllerReference } from './owner.ts';

const owner = { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'a', uid: 'u', namespace: 'ns' } };
const reference = { apiVersion: 'a/v1', kind: 'A', name: 'a', uid: 'u', controller: true, blockOwnerDeletion: true };
const object = (metadata: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'B',
  metadata: { name: 'b', namespace: 'ns', ...metadata },
});

test('makes an owner the only controller', () => {
  const other = { apiVersion: 'v1', kind: 'C', name: 'c', uid: 'c' };
  expect(setControllerReference(owner, object({})).metadata.ownerReferences).toEqual([reference]);
  const twice = setControllerReference(owner, object({ ownerReferences: [other, reference] }));
  expect(twice.metadata.ownerReferences).toEqual([other, reference]);
  const taken = object({ ownerReferences: [{ ...other, controller: true }] });
  expect(() => setControllerReference(owner, taken)).toThrow('B b is controlled by C c');
  expect(() => setControllerReference(owner, object({ namespace: 'other' }))).toThrow('cannot own B b elsewhere');
});
