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

// An index lags: whoever gets an owner is looked at himself, whether the owner is still there or not.
test.each<[string, ObjectChange, string[], string[]]>([
  ['it comes with an owner', change('ADDED', owned), ['d'], []],
  ['it gets one', change('MODIFIED', owned, free), ['d'], []],
  ['it keeps one', change('MODIFIED', owned, owned), [], []],
  ['it may have got one', change('MODIFIED', owned), ['d'], []],
  ['it has none', change('ADDED', free), [], []],
  ['it loses one', change('MODIFIED', free, owned), [], []],
  ['it goes', change('DELETED', owned), [], ['d']],
])('%s', (_case, of, nodes, owners) => {
  const affected = affectedBy(of);
  expect(affected.nodes.map(({ uid }) => uid)).toEqual(nodes);
  expect(affected.owners.map(({ reference }) => reference.uid)).toEqual(owners);
});
