import { expect, test } from 'vitest';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { affectedBy } from './listed-dependents.ts';

const owned = {
  metadata: { uid: 'd', ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }] },
};
const free = { metadata: { uid: 'd' } };

const change = (type: ObjectChange['type'], object: JsonObject, before?: JsonObject): ObjectChange => ({
  type,
  group: '',
  resource: 'configmaps',
  namespace: 'team',
  name: 'd',
  ownerReferences: [],
  mentions: () => true,
  object: () => object,
  previous: () => before,
});

// An index lags behind writes, so an object that gets an owner is checked itself, whether the owner still exists or not.
test.each<[string, ObjectChange, string[], string[]]>([
  ['is created with an owner', change('ADDED', owned), ['d'], []],
  ['gets an owner', change('MODIFIED', owned, free), ['d'], []],
  ['keeps its owner', change('MODIFIED', owned, owned), [], []],
  ['may have got an owner', change('MODIFIED', owned), ['d'], []],
  ['is created without an owner', change('ADDED', free), [], []],
  ['loses its owner', change('MODIFIED', free, owned), [], []],
  ['is deleted', change('DELETED', owned), [], ['d']],
])('selects the objects to check if an object %s', (_case, of, nodes, owners) => {
  const affected = affectedBy(of);
  expect(affected.nodes.map(({ uid }) => uid)).toEqual(nodes);
  expect(affected.owners.map(({ reference }) => reference.uid)).toEqual(owners);
});
