import { expect, test } from 'vitest';
import { changeOf } from '#lib/client/controller/object-change.ts';
import { isOwnChange, objectOfKey, referenceOfKey } from './objects-of-keys.ts';

test.each([
  ['deployment-controller', 'team/web', 'apps/v1 Deployment team/web'],
  ['namespace', 'team', 'v1 Namespace /team'],
  ['disruption', 'budget/team/web', 'policy/v1 PodDisruptionBudget team/web'],
  ['disruption', 'mark/team/web', 'v1 Pod team/web'],
  ['persistentvolume-controller', 'volume/v', 'v1 PersistentVolume /v'],
  ['pod-garbage-collector', 'node/n', 'v1 Node /n'],
  ['pod-garbage-collector', 'terminated', undefined],
  ['node-lifecycle', 'gone/n/uid', undefined],
  ['garbage-collector', '["item",{"name":"x"}]', undefined],
  ['constructor', 'constructor/x', undefined],
  ['namespace', 'a/b', undefined],
  ['deployment-controller', '', undefined],
])('maps a key of %s, %s, to the object %s', (reconciler, key, expected) => {
  const found = referenceOfKey(reconciler, key);
  const text = found && `${found.apiVersion} ${found.kind} ${found.namespace}/${found.name}`;
  expect(text).toBe(expected);
});

test.each([
  ['main/apps/deployments/team/web', true],
  ['main/apps/deployments/team/other', false],
  ['main/apps/replicasets/team/web', false],
])('computes whether a change at %s is one of the key’s own object: %s', (key, expected) => {
  const summary = { labels: {}, fields: {}, generation: 1, ownerReferences: [] };
  const object = objectOfKey('deployment-controller', 'team/web');
  expect(object && isOwnChange(changeOf('ADDED', { key, body: Buffer.from('{}'), summary }), object)).toBe(expected);
});
