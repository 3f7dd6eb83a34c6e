import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { readBack } from './read-back.ts';

const csi = { group: 'storage.k8s.io', version: 'v1', kind: 'CSINode' };

test.each<[string, JsonObject, JsonObject]>([
  ['an empty list that is always written is null', { spec: { drivers: [] } }, { spec: { drivers: null } }],
  [
    'so is one inside a list',
    { spec: { drivers: [{ name: 'a', nodeID: 'b', topologyKeys: [] }] } },
    { spec: { drivers: [{ name: 'a', nodeID: 'b', topologyKeys: null }] } },
  ],
  [
    'what has items stays',
    { spec: { drivers: [{ topologyKeys: ['a'] }] } },
    { spec: { drivers: [{ topologyKeys: ['a'] }] } },
  ],
  [
    'metadata stays',
    { metadata: { labels: {} }, spec: { drivers: null } },
    { metadata: { labels: {} }, spec: { drivers: null } },
  ],
])('reads an object back like upstream: %s', (_name, object, expected) => {
  readBack(csi, object);
  expect(object).toEqual(expected);
});
